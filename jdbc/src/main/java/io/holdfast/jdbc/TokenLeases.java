package io.holdfast.jdbc;

import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Claims, renews and releases the leases of tokens. */
final class TokenLeases {

    private final Database database;

    TokenLeases(Database database) {
        this.database = database;
    }

    Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        String claim = database.dialect()
                .returning(
                        "update holdfast_token set fence = fence + 1, claim_owner = ?, " + leaseColumns()
                                + TokenRows.SEGMENT + " and (claim_owner is null or claim_owner = ? or "
                                + database.dialect().leaseExpired("lease_end") + ")",
                        "fence");
        return database.write("claiming segment " + segment, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(claim)) {
                statement.setString(1, owner);
                setLease(statement, 2, lease);
                TokenRows.set(statement, 4, segment);
                statement.setString(6, owner);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(new TokenClaim(segment, owner, row.getLong(1))) : Optional.empty();
                }
            }
        });
    }

    Set<TokenClaim> renew(Collection<TokenClaim> claims, Duration lease) {
        List<TokenClaim> inOrder = new ArrayList<>(claims);
        inOrder.sort(Comparator.comparing(TokenClaim::segment));
        if (inOrder.isEmpty()) {
            return Set.of();
        }
        String what = "renewing " + inOrder.size() + " segments, first "
                + inOrder.get(0).segment();
        return database.write(
                what,
                connection -> database.dialect() == Dialect.POSTGRESQL
                        ? renewTogether(connection, inOrder, lease)
                        : renewOneByOne(connection, inOrder, lease));
    }

    static boolean release(TokenRows rows, TokenClaim claim) throws SQLException {
        return rows.run(
                        "update holdfast_token set claim_owner = null, lease_end = null, lease_micros = null"
                                + TokenRows.CLAIM,
                        statement -> TokenRows.set(statement, 1, claim))
                == 1;
    }

    /** A plain update would lock rows in the order of its plan; the query before it locks them in the common order. */
    private Set<TokenClaim> renewTogether(Connection connection, List<TokenClaim> claims, Duration lease)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("with newest as (select t.consumer, t.segment"
                + " from unnest(?::varchar[], ?::int4[], ?::varchar[], ?::int8[]) as k(c, s, o, f)"
                + " join holdfast_token t on t.consumer = k.c and t.segment = k.s"
                + " and t.claim_owner = k.o and t.fence = k.f order by t.consumer, t.segment for update of t)"
                + " update holdfast_token t set " + leaseColumns() + " from newest n"
                + " where t.consumer = n.consumer and t.segment = n.segment"
                + " returning t.consumer, t.segment, t.claim_owner, t.fence")) {
            EventInserts.Columns<TokenClaim> columns = new EventInserts.Columns<>(update, claims);
            columns.set(1, "varchar", String[]::new, claim -> claim.segment().consumer());
            columns.set(2, "int4", Integer[]::new, claim -> claim.segment().number());
            columns.set(3, "varchar", String[]::new, TokenClaim::owner);
            columns.set(4, "int8", Long[]::new, TokenClaim::fence);
            setLease(update, 5, lease);
            Set<TokenClaim> renewed = new HashSet<>();
            try (ResultSet row = update.executeQuery()) {
                while (row.next()) {
                    Segment segment = new Segment(row.getString(1), row.getInt(2));
                    renewed.add(new TokenClaim(segment, row.getString(3), row.getLong(4)));
                }
            }
            return renewed;
        }
    }

    private Set<TokenClaim> renewOneByOne(Connection connection, List<TokenClaim> claims, Duration lease)
            throws SQLException {
        TokenRows rows = new TokenRows(connection, database.dialect());
        Set<TokenClaim> renewed = new HashSet<>();
        for (TokenClaim claim : claims) {
            int updated = rows.run("update holdfast_token set " + leaseColumns() + TokenRows.CLAIM, statement -> {
                setLease(statement, 1, lease);
                TokenRows.set(statement, 3, claim);
            });
            if (updated == 1) {
                renewed.add(claim);
            }
        }
        return renewed;
    }

    /** Two parameters, see {@link #setLease}. */
    private String leaseColumns() {
        return "lease_end = " + database.dialect().fromNow("?") + ", lease_micros = ?";
    }

    private static void setLease(PreparedStatement statement, int first, Duration lease) throws SQLException {
        statement.setLong(first, Database.microseconds(lease));
        statement.setLong(first + 1, Database.microseconds(lease));
    }
}

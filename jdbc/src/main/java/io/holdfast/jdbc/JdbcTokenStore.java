package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.HeldToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tokens and leases, one row each. Leases are measured by the database's clock. */
final class JdbcTokenStore implements TokenStore {

    private static final String SEGMENT = " where consumer = ? and segment = ?";
    private static final String NEWEST = SEGMENT + " and claim_owner = ? and fence = ?";

    private final Database database;
    private final CommitPoint.Observer points;

    JdbcTokenStore(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
    }

    @Override
    public Token initialize(Segment segment, Map<String, StreamPosition> start) {
        points.before(CommitPoint.TOKEN_INITIALIZE);
        Token token = database.write("initializing segment " + segment, connection -> {
            insert(connection, segment);
            HeldToken held = find(connection, segment, true);
            if (held == null) {
                throw new SQLException("segment " + segment + " is not there after it was inserted");
            }
            HeldToken complete = held.withMissing(start);
            if (!complete.equals(held)) {
                update(connection, "update holdfast_token set positions = ?" + SEGMENT, statement -> {
                    statement.setString(1, Positions.write(complete.token().positions()));
                    set(statement, 2, segment);
                });
            }
            return complete.token();
        });
        points.after(CommitPoint.TOKEN_INITIALIZE);
        return token;
    }

    @Override
    public Optional<Token> find(Segment segment) {
        return database.read(
                "reading segment " + segment, connection -> Optional.ofNullable(find(connection, segment, false))
                        .map(HeldToken::token));
    }

    @Override
    public List<Token> findAll(String consumer) {
        return database.read("reading the segments of " + consumer, connection -> {
            try (PreparedStatement query =
                    connection.prepareStatement("select segment, version, positions from holdfast_token"
                            + " where consumer = ? order by consumer, segment")) {
                query.setString(1, consumer);
                List<Token> tokens = new ArrayList<>();
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        tokens.add(token(new Segment(consumer, row.getInt("segment")), row));
                    }
                }
                return tokens;
            }
        });
    }

    @Override
    public Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        points.before(CommitPoint.TOKEN_CLAIM);
        String claim = database.dialect()
                .returning(
                        "update holdfast_token set fence = fence + 1, claim_owner = ?, lease_end = " + leaseEnd()
                                + SEGMENT
                                + " and (claim_owner is null or claim_owner = ? or lease_end <= current_timestamp)",
                        "fence");
        Optional<TokenClaim> claimed = database.write("claiming segment " + segment, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(claim)) {
                statement.setString(1, owner);
                statement.setLong(2, microseconds(lease));
                set(statement, 3, segment);
                statement.setString(5, owner);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(new TokenClaim(segment, owner, row.getLong(1))) : Optional.empty();
                }
            }
        });
        points.after(CommitPoint.TOKEN_CLAIM);
        return claimed;
    }

    @Override
    public boolean renew(TokenClaim claim, Duration lease) {
        points.before(CommitPoint.TOKEN_RENEW);
        int renewed = database.write(
                "renewing segment " + claim.segment(),
                connection -> update(
                        connection, "update holdfast_token set lease_end = " + leaseEnd() + NEWEST, statement -> {
                            statement.setLong(1, microseconds(lease));
                            set(statement, 2, claim);
                        }));
        points.after(CommitPoint.TOKEN_RENEW);
        return renewed == 1;
    }

    @Override
    public void release(TokenClaim claim) {
        points.before(CommitPoint.TOKEN_RELEASE);
        database.write(
                "releasing segment " + claim.segment(),
                connection -> update(
                        connection,
                        "update holdfast_token set claim_owner = null, lease_end = null" + NEWEST,
                        statement -> set(statement, 1, claim)));
        points.after(CommitPoint.TOKEN_RELEASE);
    }

    /** @param locked whether nobody else may claim or advance it until the transaction ends */
    static @Nullable HeldToken find(Connection connection, Segment segment, boolean locked) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select version, fence, claim_owner, positions from holdfast_token"
                        + SEGMENT + (locked ? " for update" : ""))) {
            set(query, 1, segment);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                return new HeldToken(token(segment, row), row.getLong("fence"), row.getString("claim_owner"));
            }
        }
    }

    private static Token token(Segment segment, ResultSet row) throws SQLException {
        return new Token(segment, row.getLong("version"), Positions.read(row.getString("positions")));
    }

    private void insert(Connection connection, Segment segment) throws SQLException {
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_token",
                        "consumer, segment, version, fence, positions",
                        "consumer, segment",
                        "cast(? as varchar), cast(? as integer), 0, 0, '{}'");
        database.insertIfAbsent(connection, insert, statement -> set(statement, 1, segment));
    }

    private String leaseEnd() {
        return database.dialect().microsecondsFromNow();
    }

    private static long microseconds(Duration lease) {
        return TimeUnit.MICROSECONDS.convert(lease);
    }

    private static void set(PreparedStatement statement, int first, Segment segment) throws SQLException {
        statement.setString(first, segment.consumer());
        statement.setInt(first + 1, segment.number());
    }

    private static void set(PreparedStatement statement, int first, TokenClaim claim) throws SQLException {
        set(statement, first, claim.segment());
        statement.setString(first + 2, claim.owner());
        statement.setLong(first + 3, claim.fence());
    }

    private static int update(Connection connection, String sql, Database.Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.set(statement);
            return statement.executeUpdate();
        }
    }
}

package io.holdfast.jdbc;

import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The token rows in one transaction. To prevent deadlocks, all transactions lock them in the same order, by consumer
 * and segment.
 *
 * <p>A transaction that adds or removes segments of a consumer, or changes all of them, first locks segment 0, which
 * always exists. Otherwise it could miss a segment that is split off while it waits for the rows.
 */
final class TokenRows {

    static final String SEGMENT = " where consumer = ? and segment = ?";
    static final String CLAIM = SEGMENT + " and claim_owner = ? and fence = ?";

    private static final String COLUMNS =
            "t.consumer, t.segment, t.version, t.fence, t.claim_owner, t.positions, t.marks, t.setup";

    private final Connection connection;
    private final Dialect dialect;

    TokenRows(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    Connection connection() {
        return connection;
    }

    @Nullable
    ClaimedToken find(Segment segment) throws SQLException {
        return find(segment, "");
    }

    /** Locks the token: no other transaction claims, changes or advances it until this one ends. */
    @Nullable
    ClaimedToken lock(Segment segment) throws SQLException {
        return find(segment, " for update");
    }

    /** Locks the segments that exist. One round trip on PostgreSQL; H2 has none, and cannot lock a join. */
    List<ClaimedToken> lock(Collection<Segment> segments) throws SQLException {
        TreeSet<Segment> inOrder = new TreeSet<>(segments);
        if (dialect == Dialect.H2 || inOrder.size() <= 1) {
            return lockOneByOne(inOrder);
        }
        try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS
                + " from unnest(?::varchar[], ?::int4[]) as k(c, s) join holdfast_token t"
                + " on t.consumer = k.c and t.segment = k.s order by t.consumer, t.segment for update of t")) {
            EventInserts.Columns<Segment> columns = new EventInserts.Columns<>(query, inOrder);
            columns.set(1, "varchar", String[]::new, Segment::consumer);
            columns.set(2, "int4", Integer[]::new, Segment::number);
            return tokens(query);
        }
    }

    /** Finds all segments of a consumer, by number. A segment whose lease has expired has no owner. */
    List<ClaimedToken> findAll(String consumer) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select t.consumer, t.segment, t.version, t.fence,"
                + " case when " + dialect.leaseExpired("t.lease_end")
                + " then null else t.claim_owner end as claim_owner,"
                + " t.positions, t.marks, t.setup from holdfast_token t"
                + " where t.consumer = ? order by t.consumer, t.segment")) {
            query.setString(1, consumer);
            return tokens(query);
        }
    }

    /**
     * Locks all segments of a consumer and returns them as {@link #findAll} does. No segment is added or removed until
     * the transaction ends.
     */
    List<ClaimedToken> lockAll(String consumer) throws SQLException {
        lockStructure(consumer);
        List<Segment> segments = findAll(consumer).stream()
                .map(claimed -> claimed.token().segment())
                .toList();
        lock(segments);
        return findAll(consumer);
    }

    /** Locks the set of segments: no other transaction adds or removes one of the consumer until this one ends. */
    void lockStructure(String consumer) throws SQLException {
        lock(new Segment(consumer, 0));
    }

    /** @return whether the token was inserted */
    boolean insertIfAbsent(Database database, Token token) throws SQLException {
        String insert = dialect.insertIfAbsent(
                "holdfast_token",
                "consumer, segment, version, fence, positions, marks, setup",
                "consumer, segment",
                "cast(? as varchar), cast(? as integer), cast(? as bigint), 0, cast(? as " + dialect.text()
                        + "), cast(? as " + dialect.text() + "), cast(? as " + dialect.text() + ")");
        return database.insertIfAbsent(connection, insert, statement -> {
            set(statement, 1, token.segment());
            statement.setLong(3, token.version());
            statement.setString(4, PositionJson.write(token.positions()));
            statement.setString(5, TokenJson.marks(token.marks()));
            statement.setString(6, TokenJson.setup(token.setup()));
        });
    }

    /** Writes everything of a token except its claim. */
    void update(Collection<Token> changed) throws SQLException {
        String update = "update holdfast_token set version = ?, positions = ?, marks = ?, setup = ?" + SEGMENT;
        Batch.run(connection, update, changed, (statement, token) -> {
            statement.setLong(1, token.version());
            statement.setString(2, PositionJson.write(token.positions()));
            statement.setString(3, TokenJson.marks(token.marks()));
            statement.setString(4, TokenJson.setup(token.setup()));
            set(statement, 5, token.segment());
        });
    }

    void delete(Segment segment) throws SQLException {
        run("delete from holdfast_token" + SEGMENT, statement -> set(statement, 1, segment));
    }

    /** Releases all claims of a consumer. */
    void release(String consumer) throws SQLException {
        run(
                "update holdfast_token set claim_owner = null, lease_end = null where consumer = ?",
                statement -> statement.setString(1, consumer));
    }

    int run(String sql, Database.Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            parameters.set(statement);
            return statement.executeUpdate();
        }
    }

    static void set(PreparedStatement statement, int first, Segment segment) throws SQLException {
        statement.setString(first, segment.consumer());
        statement.setInt(first + 1, segment.number());
    }

    static void set(PreparedStatement statement, int first, TokenClaim claim) throws SQLException {
        set(statement, first, claim.segment());
        statement.setString(first + 2, claim.owner());
        statement.setLong(first + 3, claim.fence());
    }

    private List<ClaimedToken> lockOneByOne(Collection<Segment> inOrder) throws SQLException {
        List<ClaimedToken> found = new ArrayList<>();
        for (Segment segment : inOrder) {
            ClaimedToken claimed = lock(segment);
            if (claimed != null) {
                found.add(claimed);
            }
        }
        return found;
    }

    private @Nullable ClaimedToken find(Segment segment, String lock) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select " + COLUMNS + " from holdfast_token t" + SEGMENT + lock)) {
            set(query, 1, segment);
            List<ClaimedToken> found = tokens(query);
            return found.isEmpty() ? null : found.get(0);
        }
    }

    private static List<ClaimedToken> tokens(PreparedStatement query) throws SQLException {
        List<ClaimedToken> tokens = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                Token token = new Token(
                        new Segment(row.getString("consumer"), row.getInt("segment")),
                        row.getLong("version"),
                        PositionJson.read(row.getString("positions")),
                        TokenJson.marks(row.getString("marks")),
                        TokenJson.setup(row.getString("setup")));
                tokens.add(new ClaimedToken(token, row.getLong("fence"), row.getString("claim_owner")));
            }
        }
        return tokens;
    }
}

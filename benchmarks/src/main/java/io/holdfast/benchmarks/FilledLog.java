package io.holdfast.benchmarks;

import io.holdfast.aggregate.state.AggregateSnapshots;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * Fills an empty log by SQL, with the same result as one commit per event: gapless positions, versions per key, and
 * each event with its predecessor. The events of a key are spread as far apart as possible.
 */
final class FilledLog {

    static final int EVENTS_PER_KEY = 10;
    /** A stream with one key of many events. */
    static final String LONG_STREAM = "ledgers";

    static final String LONG_KEY = "account-long";
    private static final int CHUNK = 100_000;

    private static final String COLUMNS = "log_position, event_id, source, stream, aggregate_key, key_version,"
            + " occurred_at, event_type, revision, metadata, payload, previous_position, previous_id";
    /** Indexes are rebuilt after the inserts, which is faster. The names are the schema's. */
    private static final List<String> DROP_INDEXES = List.of(
            "alter table holdfast_event drop constraint holdfast_event_pk",
            "alter table holdfast_event drop constraint holdfast_event_id",
            "alter table holdfast_event drop constraint holdfast_event_key",
            "drop index holdfast_event_stream");

    private static final List<String> CREATE_INDEXES = List.of(
            "alter table holdfast_event add constraint holdfast_event_pk primary key (log_position)",
            "alter table holdfast_event add constraint holdfast_event_id unique (event_id)",
            "alter table holdfast_event add constraint holdfast_event_key unique (stream, aggregate_key, key_version)",
            "create index holdfast_event_stream on holdfast_event (stream, log_position)");

    private final DataSource dataSource;
    private final boolean postgresql;
    private final String json;

    FilledLog(DataSource dataSource, boolean postgresql) {
        this(dataSource, postgresql, Purchases.json("@", 1));
    }

    /** @param json the payload of all events; {@code @} is the placeholder for the key */
    FilledLog(DataSource dataSource, boolean postgresql, String json) {
        this.dataSource = dataSource;
        this.postgresql = postgresql;
        this.json = json.replace("'", "''");
    }

    /**
     * @param events the number of events, spread over {@code events / 10} keys
     * @param ofOneKey the number of events of one key in a separate stream after them, with a snapshot at the last
     *     multiple of 500
     */
    void fill(long events, long ofOneKey) {
        fill(events, events / EVENTS_PER_KEY, ofOneKey);
    }

    void fill(long events, long keys, long ofOneKey) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // Truncated in the transaction that fills it, so that PostgreSQL can skip the WAL.
            statement.execute("truncate table holdfast_event");
            for (String sql : DROP_INDEXES) {
                statement.execute(sql);
            }
            insert(statement, 1, events, Purchases.STREAM, accountKey(keys), "(x - 1) / " + keys + " + 1");
            insert(statement, events + 1, events + ofOneKey, LONG_STREAM, "'" + LONG_KEY + "'", "x - " + events);
            for (String sql : CREATE_INDEXES) {
                statement.execute(sql);
            }
            insertHead(statement, Purchases.STREAM, events);
            long all = events + ofOneKey;
            if (ofOneKey > 0) {
                insertHead(statement, LONG_STREAM, all);
                insertSnapshot(statement, ofOneKey - ofOneKey % 500);
            }
            statement.execute("update holdfast_log set head_position = " + all + ", commits = " + all);
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute(postgresql ? "vacuum analyze holdfast_event" : "analyze");
        } catch (SQLException e) {
            throw Failures.of("filling the log", e);
        }
    }

    private void insert(Statement statement, long first, long last, String stream, String key, String version)
            throws SQLException {
        long chunk = postgresql ? last : CHUNK;
        for (long from = first; from <= last; from += chunk) {
            long to = Math.min(last, from + chunk - 1);
            String numbers = postgresql
                    ? "generate_series(cast(" + from + " as bigint), " + to + ") as g(x)"
                    : "(select x from system_range(" + from + ", " + to + ")) g";
            // The first event of a stream has no predecessor.
            String previous = "case when x = " + first + " then 0 else x - 1 end";
            String previousId = "case when x = " + first + " then null else " + id("x - 1") + " end";
            statement.execute("insert into holdfast_event (" + COLUMNS + ") select x, " + id("x") + ", '"
                    + Purchases.SERVICE + "', '" + stream + "', " + key + ", " + version
                    + ", current_timestamp, 'Purchased', 1, " + metadata() + ", " + payload(key) + ", " + previous
                    + ", "
                    + previousId + " from " + numbers);
            if (!postgresql) {
                statement.getConnection().commit();
            }
        }
    }

    private static String accountKey(long keys) {
        return "'account-' || lpad(cast(mod(x - 1, " + keys + ") as varchar), 8, '0')";
    }

    /** Returns a UUIDv7 that increases with the position and is older than any that an append generates. */
    private static String id(String number) {
        String digits = "lpad(cast(" + number + " as varchar), 12, '0')";
        return "cast(" + digits + " || '70008000' || " + digits + " as uuid)";
    }

    private static String metadata() {
        return "'{\"causationId\":\"' || " + idText() + " || '\",\"correlationId\":\"' || " + idText() + " || '\"}'";
    }

    private static String idText() {
        return "cast(" + id("x") + " as varchar)";
    }

    private String payload(String key) {
        int mark = json.indexOf('@');
        return "'" + json.substring(0, mark) + "' || " + key + " || '" + json.substring(mark + 1) + "'";
    }

    private static void insertHead(Statement statement, String stream, long position) throws SQLException {
        statement.execute("insert into holdfast_stream (stream, outbox, head_position, head_id)"
                + " select stream, false, log_position, event_id from holdfast_event where log_position = " + position
                + " and stream = '" + stream + "'");
    }

    private static void insertSnapshot(Statement statement, long version) throws SQLException {
        AggregateState<Purchases.Account> reached = new AggregateState<>(
                Purchases.accounts(LONG_STREAM), LONG_KEY, version, null, new Purchases.Account(version, version));
        Payload state = AggregateSnapshots.due(0, reached, new PayloadCodec())
                .orElseThrow()
                .state();
        statement.execute("insert into holdfast_snapshot (stream, aggregate_key, key_version, state_type, revision,"
                + " state) values ('" + LONG_STREAM + "', '" + LONG_KEY + "', " + version + ", '" + state.type()
                + "', " + state.revision() + ", '" + state.json() + "')");
    }
}

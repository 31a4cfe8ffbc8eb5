package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.token.Segments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Holdfast's queue in its own database, whose log contains events to handle. The methods change it by SQL and must not
 * be called while a service runs.
 */
final class HoldfastQueue {

    static final String PROCESSOR = "processor";
    static final String COMPONENT = "accounts";
    private static final String COMPONENT_ID = Purchases.SERVICE + "/" + PROCESSOR + "/" + COMPONENT;

    private static final String SEQUENCE_PREFIX = Purchases.STREAM + "/parked-";
    private static final String TEMPLATE = SEQUENCE_PREFIX + "template";

    private final HikariDataSource dataSource;
    private final int events;

    private HoldfastQueue(HikariDataSource dataSource, int events) {
        this.dataSource = dataSource;
        this.events = events;
    }

    /** @param events the number of events in the log, each with its own key; {@link #fill} parks other keys */
    static HoldfastQueue create(PostgresqlServer server, String database, int events) {
        return new HoldfastQueue(
                FilledStream.create(server, database, events, events, ParkedPurchases.json())
                        .connect(),
                events);
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    int events() {
        return events;
    }

    /**
     * Empties the queue and inserts parked sequences by SQL: copies of one letter. Each sequence is one millisecond
     * younger than the previous one. The processor's position is not changed.
     */
    void fill(int sequences, int letters) {
        execute("truncate table holdfast_letter, holdfast_sequence, holdfast_queue");
        parkTemplate();
        String age = "(%s - (" + sequences + " - k.place) * interval '1 ms')";
        String keys = " from %s, unnest(?::varchar[], ?::integer[]) with ordinality as k(id, hash, place)";
        copy(
                "holdfast_sequence",
                Map.of(
                        "sequence", "k.id",
                        "hash", "k.hash",
                        "last_letter", String.valueOf(letters - 1),
                        "size", String.valueOf(letters),
                        "next_attempt", String.format(Locale.ROOT, age, "next_attempt"),
                        "since", String.format(Locale.ROOT, age, "since")),
                keys,
                sequences);
        // Only the first letter of a sequence has failed.
        copy(
                "holdfast_letter",
                Map.of(
                        "sequence", "k.id",
                        "number", "n",
                        "event_id", "gen_random_uuid()",
                        "aggregate_key", "substr(k.id, " + (Purchases.STREAM.length() + 2) + ")",
                        "cause_type", "case when n = 0 then cause_type end",
                        "cause_message", "case when n = 0 then cause_message end",
                        "cause_stack_trace", "case when n = 0 then cause_stack_trace end",
                        "attempts", "case when n = 0 then attempts else '[]' end"),
                keys + ", generate_series(0, " + (letters - 1) + ") n",
                sequences);
        execute("delete from holdfast_letter where sequence = '" + TEMPLATE + "'");
        execute("delete from holdfast_sequence where sequence = '" + TEMPLATE + "'");
        updateCounters();
    }

    /** Deletes the letters that were parked after {@link #fill}. */
    void removeOthers() {
        execute("delete from holdfast_letter where sequence not like '" + SEQUENCE_PREFIX + "%'");
        execute("delete from holdfast_sequence where sequence not like '" + SEQUENCE_PREFIX + "%'");
        updateCounters();
    }

    /** Deletes the processor's tokens, so that it starts from the beginning of the log. */
    void deleteTokens() {
        execute("delete from holdfast_token where consumer = '" + PROCESSOR + "'");
    }

    private void updateCounters() {
        execute("update holdfast_queue set (letters, pending, pending_letters) ="
                + " (select coalesce(sum(size), 0), count(*), coalesce(sum(size), 0) from holdfast_sequence)");
        execute("vacuum analyze holdfast_letter, holdfast_sequence, holdfast_queue");
    }

    /** Parks one letter as a service would. */
    private void parkTemplate() {
        Instant now = Instant.now();
        SequenceId id = new SequenceId(COMPONENT_ID, TEMPLATE);
        try (JdbcStore store = JdbcStore.in(Purchases.SERVICE, dataSource).open()) {
            EventMessage event =
                    store.eventLog().readStream(Purchases.STREAM, 0, 1).get(0);
            DeadLetter letter = DeadLetter.notAttempted(id, 0, event, now)
                    .failed(Cause.of(new AccountClosedException()), Purchases.SERVICE, now);
            ParkedSequence sequence =
                    ParkedSequence.start(id, PROCESSOR, 0, now).pending(1, now);
            store.deadLetterStore()
                    .change(
                            PROCESSOR,
                            reads -> new LetterWrites(
                                    List.of(letter), List.of(), List.of(), List.of(sequence), List.of()));
        }
    }

    private void copy(String table, Map<String, String> changed, String from, int sequences) {
        String[] ids = IntStream.range(0, sequences)
                .mapToObj(number -> SEQUENCE_PREFIX + String.format(Locale.ROOT, "%08d", number))
                .toArray(String[]::new);
        Integer[] hashes = IntStream.range(0, sequences)
                .mapToObj(number -> Segments.hash(ids[number]))
                .toArray(Integer[]::new);
        try (Connection connection = dataSource.getConnection()) {
            List<String> columns = columns(connection, table);
            String copied = columns.stream()
                    .map(column -> changed.getOrDefault(column, column))
                    .collect(Collectors.joining(", "));
            try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " ("
                    + String.join(", ", columns) + ") select " + copied + String.format(Locale.ROOT, from, table))) {
                insert.setArray(1, connection.createArrayOf("varchar", ids));
                insert.setArray(2, connection.createArrayOf("integer", hashes));
                insert.executeUpdate();
            }
        } catch (SQLException e) {
            throw Failures.of("filling " + table, e);
        }
    }

    /** Returns the columns that can be inserted: the database computes generated ones. */
    private static List<String> columns(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select string_agg(column_name, ',') from" + " information_schema.columns where table_name = '"
                                + table + "' and is_generated = 'NEVER'")) {
            row.next();
            return List.of(row.getString(1).split(",", -1));
        }
    }

    private void execute(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw Failures.of(sql, e);
        }
    }
}

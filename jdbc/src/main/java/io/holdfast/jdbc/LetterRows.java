package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.INT8;
import static io.holdfast.jdbc.ColumnType.TEXT;
import static io.holdfast.jdbc.ColumnType.TIMESTAMPTZ;
import static io.holdfast.jdbc.ColumnType.UUIDS;
import static io.holdfast.jdbc.ColumnType.VARCHAR;
import static io.holdfast.jdbc.EventColumns.timestamp;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.LogIdentity;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps letters to rows: the whole event, its cause and its attempts. */
final class LetterRows {

    /** The columns of a letter {@code l}. */
    static final String COLUMNS = "l.component, l.sequence, l.number, l."
            + (EventColumns.ALL
                            + ", log_id, epoch, cause_type, cause_message, cause_stack_trace, cause_chain, enqueued_at,"
                            + " last_touched, attempts, diagnostics, failed_replays")
                    .replace(", ", ", l.");

    private static final BulkTable<LetterId> IDS = new BulkTable<>(
            "holdfast_letter",
            List.of(
                    new Column<>(
                            "component", VARCHAR, letter -> letter.sequence().component()),
                    new Column<>(
                            "sequence", VARCHAR, letter -> letter.sequence().sequence()),
                    new Column<>("number", INT8, LetterId::number)),
            List.of());

    private static final BulkTable<DeadLetter> LETTERS = new BulkTable<>(
            "holdfast_letter",
            List.of(
                    new Column<>(
                            "component", VARCHAR, letter -> letter.sequence().component()),
                    new Column<>(
                            "sequence", VARCHAR, letter -> letter.sequence().sequence()),
                    new Column<>("number", INT8, DeadLetter::number)),
            List.of(
                    new Column<>("event_id", UUIDS, letter -> letter.message().id()),
                    new Column<>("source", VARCHAR, letter -> letter.message().source()),
                    new Column<>("stream", VARCHAR, letter -> letter.message().stream()),
                    new Column<>(
                            "aggregate_key", VARCHAR, letter -> letter.message().key()),
                    new Column<>("key_version", INT8, letter -> letter.message().version()),
                    new Column<>(
                            "occurred_at",
                            TIMESTAMPTZ,
                            letter -> timestamp(letter.message().occurredAt())),
                    new Column<>(
                            "event_type", VARCHAR, letter -> letter.message().type()),
                    new Column<>("revision", INT4, letter -> letter.message()
                            .payload()
                            .revision()),
                    new Column<>(
                            "metadata",
                            TEXT,
                            letter -> EventColumns.metadata(letter.message().metadata())),
                    new Column<>("payload", TEXT, letter -> letter.message()
                            .payload()
                            .json()),
                    new Column<>(
                            "log_position", INT8, letter -> letter.message().position()),
                    new Column<>("previous_position", INT8, letter -> letter.message()
                            .logPosition()
                            .previousPosition()),
                    new Column<>("previous_id", UUIDS, letter -> letter.message()
                            .logPosition()
                            .previousId()),
                    new Column<>(
                            "log_id",
                            UUIDS,
                            letter -> letter.message().logPosition().log().id()),
                    new Column<>(
                            "epoch",
                            INT4,
                            letter -> letter.message().logPosition().log().epoch()),
                    new Column<>("cause_type", TEXT, letter -> ofCause(letter, Cause::type)),
                    new Column<>("cause_message", TEXT, letter -> ofCause(letter, Cause::message)),
                    new Column<>("cause_stack_trace", TEXT, letter -> ofCause(letter, Cause::stackTrace)),
                    new Column<>(
                            "cause_chain", TEXT, letter -> ofCause(letter, cause -> LetterJson.chain(cause.chain()))),
                    new Column<>("enqueued_at", TIMESTAMPTZ, letter -> timestamp(letter.enqueuedAt())),
                    new Column<>("last_touched", TIMESTAMPTZ, letter -> timestamp(letter.lastTouched())),
                    new Column<>("attempts", TEXT, letter -> LetterJson.attempts(letter.attempts())),
                    new Column<>("diagnostics", TEXT, letter -> LetterJson.diagnostics(letter.diagnostics())),
                    new Column<>("failed_replays", INT4, DeadLetter::failedReplays)));

    private LetterRows() {}

    static List<DeadLetter> find(Connection connection, SequenceId sequence, long fromNumber, int limit)
            throws SQLException {
        return find(
                connection,
                " from holdfast_letter l where l.component = ? and l.sequence = ? and l.number >= ?"
                        + " order by l.component, l.sequence, l.number limit ?",
                query -> {
                    SequenceRows.set(query, 1, sequence);
                    query.setLong(3, fromNumber);
                    query.setInt(4, limit);
                });
    }

    static Optional<DeadLetter> find(Connection connection, String component, UUID event) throws SQLException {
        return find(connection, " from holdfast_letter l where l.component = ? and l.event_id = ?", query -> {
                    query.setString(1, component);
                    query.setObject(2, event);
                })
                .stream()
                .findFirst();
    }

    /** Finds, per sequence, the letters numbered from its first to less than {@code most} beyond, in order. */
    static List<DeadLetter> findFirst(
            Connection connection, Dialect dialect, Collection<ParkedSequence> sequences, int most)
            throws SQLException {
        String wanted = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ", "
                + dialect.array("bigint") + ") as k(c, s, h)";
        String first = dialect.joinByKeys(
                wanted,
                "holdfast_letter",
                "l",
                "l.component = k.c and l.sequence = k.s and l.number >= k.h and l.number < k.h + cast(? as bigint)");
        return find(connection, " from " + first + " order by l.component, l.sequence, l.number", query -> {
            EventInserts.Columns<ParkedSequence> columns = new EventInserts.Columns<>(query, sequences);
            columns.set(1, "varchar", String[]::new, sequence -> sequence.id().component());
            columns.set(2, "varchar", String[]::new, sequence -> sequence.id().sequence());
            columns.set(3, "bigint", Long[]::new, ParkedSequence::first);
            query.setLong(4, most);
        });
    }

    static void insert(Connection connection, Dialect dialect, Collection<DeadLetter> letters) throws SQLException {
        LETTERS.insert(connection, dialect, letters);
    }

    static void update(Connection connection, Dialect dialect, Collection<DeadLetter> letters) throws SQLException {
        LETTERS.update(connection, dialect, letters);
    }

    static void delete(Connection connection, Dialect dialect, Collection<LetterId> letters) throws SQLException {
        IDS.delete(connection, dialect, letters);
    }

    /** @param rest the query from {@code from} on */
    private static List<DeadLetter> find(Connection connection, String rest, Database.Parameters parameters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS + rest)) {
            parameters.set(query);
            List<DeadLetter> letters = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    letters.add(letter(row));
                }
            }
            return letters;
        }
    }

    /** Returns all columns of a letter, the keys first. */
    static List<Column<DeadLetter>> columns() {
        return Stream.concat(LETTERS.keys().stream(), LETTERS.others().stream()).toList();
    }

    /** Finds those of these letters that exist. */
    static List<DeadLetter> find(Connection connection, Dialect dialect, Collection<LetterId> ids) throws SQLException {
        String wanted = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ", "
                + dialect.array("bigint") + ") as k(c, s, n)";
        String found = dialect.joinByKeys(
                wanted, "holdfast_letter", "l", "l.component = k.c and l.sequence = k.s and l.number = k.n");
        return find(connection, " from " + found, query -> {
            EventInserts.Columns<LetterId> columns = new EventInserts.Columns<>(query, ids);
            columns.set(1, "varchar", String[]::new, id -> id.sequence().component());
            columns.set(2, "varchar", String[]::new, id -> id.sequence().sequence());
            columns.set(3, "bigint", Long[]::new, LetterId::number);
        });
    }

    /** Maps a row with all columns of a letter. */
    static DeadLetter letter(ResultSet row) throws SQLException {
        LogIdentity log = new LogIdentity(row.getObject("log_id", UUID.class), row.getInt("epoch"));
        return new DeadLetter(
                new SequenceId(row.getString("component"), row.getString("sequence")),
                row.getLong("number"),
                EventColumns.event(row, log),
                cause(row),
                EventColumns.instant(row, "enqueued_at"),
                EventColumns.instant(row, "last_touched"),
                LetterJson.attempts(row.getString("attempts")),
                LetterJson.diagnostics(row.getString("diagnostics")),
                row.getInt("failed_replays"));
    }

    private static @Nullable Cause cause(ResultSet row) throws SQLException {
        String type = row.getString("cause_type");
        if (type == null) {
            return null;
        }
        return new Cause(
                type,
                row.getString("cause_message"),
                Objects.requireNonNullElse(row.getString("cause_stack_trace"), ""),
                LetterJson.chain(row.getString("cause_chain")));
    }

    private static @Nullable String ofCause(DeadLetter letter, Function<Cause, @Nullable String> part) {
        Cause cause = letter.cause();
        return cause == null ? null : part.apply(cause);
    }
}

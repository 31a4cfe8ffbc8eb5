package io.holdfast.jdbc;

import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** How letters stand in rows: the whole event, why it is there, and what was tried. */
final class LetterRows {

    private static final String LETTER = " where component = ? and sequence = ? and number = ?";
    private static final String STATE =
            "cause_type, cause_message, cause_stack_trace, enqueued_at, last_touched, attempts, diagnostics";
    private static final String CONTENT = EventColumns.ALL + ", log_id, epoch, " + STATE;
    private static final String COLUMNS = "component, sequence, number, " + CONTENT;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<Try>> TRIES = new TypeReference<>() {};
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private LetterRows() {}

    static List<DeadLetter> find(Connection connection, SequenceId sequence, long fromNumber, int limit)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select " + COLUMNS + " from holdfast_letter"
                + " where component = ? and sequence = ? and number >= ?"
                + " order by component, sequence, number limit ?")) {
            SequenceRows.set(query, 1, sequence);
            query.setLong(3, fromNumber);
            query.setInt(4, limit);
            List<DeadLetter> letters = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    letters.add(letter(row));
                }
            }
            return letters;
        }
    }

    static void insert(Connection connection, Collection<DeadLetter> letters) throws SQLException {
        String parameters = "?, ".repeat(COLUMNS.split(",", -1).length - 1) + "?";
        String insert = "insert into holdfast_letter (" + COLUMNS + ") values (" + parameters + ")";
        Batch.run(connection, insert, letters, (statement, letter) -> {
            set(statement, 1, new LetterId(letter.sequence(), letter.number()));
            setContent(statement, 4, letter);
        });
    }

    static void update(Connection connection, Collection<DeadLetter> letters) throws SQLException {
        String update = "update holdfast_letter set " + CONTENT.replace(", ", " = ?, ") + " = ?" + LETTER;
        Batch.run(connection, update, letters, (statement, letter) -> {
            int next = setContent(statement, 1, letter);
            set(statement, next, new LetterId(letter.sequence(), letter.number()));
        });
    }

    static void delete(Connection connection, Collection<LetterId> letters) throws SQLException {
        Batch.run(
                connection,
                "delete from holdfast_letter" + LETTER,
                letters,
                (statement, letter) -> set(statement, 1, letter));
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        LogIdentity log = new LogIdentity(row.getObject("log_id", UUID.class), row.getInt("epoch"));
        return new DeadLetter(
                new SequenceId(row.getString("component"), row.getString("sequence")),
                row.getLong("number"),
                EventColumns.event(row, log),
                cause(row),
                EventColumns.instant(row, "enqueued_at"),
                EventColumns.instant(row, "last_touched"),
                JSON.readValue(row.getString("attempts"), TRIES).stream()
                        .map(tried -> new Attempt(Instant.parse(tried.at()), tried.failure()))
                        .toList(),
                JSON.readValue(row.getString("diagnostics"), STRINGS));
    }

    private static @Nullable Cause cause(ResultSet row) throws SQLException {
        String type = row.getString("cause_type");
        return type == null
                ? null
                : new Cause(
                        type,
                        row.getString("cause_message"),
                        Objects.requireNonNullElse(row.getString("cause_stack_trace"), ""));
    }

    /** @return the number of the next parameter */
    private static int setContent(PreparedStatement statement, int first, DeadLetter letter) throws SQLException {
        EventMessage event = letter.message();
        int next = EventColumns.setContent(statement, first, event);
        statement.setLong(next++, event.position());
        statement.setLong(next++, event.place().previousPosition());
        statement.setObject(next++, event.place().previousId());
        statement.setObject(next++, event.place().log().id());
        statement.setInt(next++, event.place().log().epoch());
        return setState(statement, next, letter);
    }

    private static int setState(PreparedStatement statement, int first, DeadLetter letter) throws SQLException {
        Cause cause = letter.cause();
        List<Try> tries = letter.attempts().stream()
                .map(attempt ->
                        new Try(attempt.at().truncatedTo(ChronoUnit.MICROS).toString(), attempt.failure()))
                .toList();
        int next = first;
        statement.setString(next++, cause == null ? null : cause.type());
        statement.setString(next++, cause == null ? null : cause.message());
        statement.setString(next++, cause == null ? null : cause.stackTrace());
        statement.setObject(next++, EventColumns.timestamp(letter.enqueuedAt()));
        statement.setObject(next++, EventColumns.timestamp(letter.lastTouched()));
        statement.setString(next++, JSON.writeValueAsString(tries));
        statement.setString(next++, JSON.writeValueAsString(letter.diagnostics()));
        return next;
    }

    private static void set(PreparedStatement statement, int first, LetterId letter) throws SQLException {
        SequenceRows.set(statement, first, letter.sequence());
        statement.setLong(first + 2, letter.number());
    }

    /** An attempt as it is stored. */
    private record Try(String at, String failure) {}
}

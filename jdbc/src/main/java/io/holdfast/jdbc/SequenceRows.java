package io.holdfast.jdbc;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How parked sequences stand in rows. */
final class SequenceRows {

    private static final String COLUMNS = "component, sequence, consumer, hash, head, tail, size, state, attempts,"
            + " next_attempt, held_by, held_since";

    private SequenceRows() {}

    /** @param condition after {@code where}, with the order */
    static List<ParkedSequence> find(Connection connection, String condition, Database.Parameters parameters)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select " + COLUMNS + " from holdfast_sequence where " + condition)) {
            parameters.set(query);
            List<ParkedSequence> sequences = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    sequences.add(sequence(row));
                }
            }
            return sequences;
        }
    }

    static boolean hasAny(Connection connection, String consumer) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select 1 from holdfast_sequence where consumer = ? limit 1")) {
            query.setString(1, consumer);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    static void upsert(Connection connection, Dialect dialect, Collection<ParkedSequence> sequences)
            throws SQLException {
        String upsert = dialect.upsert(
                "holdfast_sequence",
                COLUMNS,
                "component, sequence",
                "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?",
                "consumer = excluded.consumer, hash = excluded.hash, head = excluded.head, tail = excluded.tail,"
                        + " size = excluded.size, state = excluded.state, attempts = excluded.attempts,"
                        + " next_attempt = excluded.next_attempt, held_by = excluded.held_by,"
                        + " held_since = excluded.held_since");
        Batch.run(connection, upsert, sequences, (statement, sequence) -> {
            set(statement, 1, sequence.id());
            statement.setString(3, sequence.consumer());
            statement.setInt(4, sequence.hash());
            statement.setLong(5, sequence.head());
            statement.setLong(6, sequence.tail());
            statement.setInt(7, sequence.size());
            statement.setString(8, sequence.state().name());
            statement.setInt(9, sequence.attempts());
            statement.setObject(10, timestamp(sequence.nextAttempt()));
            statement.setString(11, sequence.heldBy());
            statement.setObject(12, timestamp(sequence.heldSince()));
        });
    }

    static void delete(Connection connection, Collection<SequenceId> ended) throws SQLException {
        Batch.run(
                connection,
                "delete from holdfast_sequence where component = ? and sequence = ?",
                ended,
                (statement, id) -> set(statement, 1, id));
    }

    static void set(PreparedStatement statement, int first, SequenceId id) throws SQLException {
        statement.setString(first, id.component());
        statement.setString(first + 1, id.sequence());
    }

    private static ParkedSequence sequence(ResultSet row) throws SQLException {
        return new ParkedSequence(
                new SequenceId(row.getString("component"), row.getString("sequence")),
                row.getString("consumer"),
                row.getInt("hash"),
                row.getLong("head"),
                row.getLong("tail"),
                row.getInt("size"),
                SequenceState.valueOf(row.getString("state")),
                row.getInt("attempts"),
                instant(row, "next_attempt"),
                row.getString("held_by"),
                instant(row, "held_since"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
        return instant == null ? null : EventColumns.timestamp(instant);
    }
}

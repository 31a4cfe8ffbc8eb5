package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.BOOL;
import static io.holdfast.jdbc.ColumnType.INT4;
import static io.holdfast.jdbc.ColumnType.INT8;
import static io.holdfast.jdbc.ColumnType.TIMESTAMPTZ;
import static io.holdfast.jdbc.ColumnType.VARCHAR;
import static io.holdfast.jdbc.EventColumns.timestamp;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Maps parked sequences to rows. */
final class SequenceRows {

    static final String COLUMNS =
            "s.component, s.sequence, s.consumer, s.hash, s.first_letter, s.last_letter, s.size, s.state,"
                    + " s.attempts, s.next_attempt, s.since, s.held_by, s.held_since, s.awaits, s.awaits_since, s.escalated,"
                    + " s.cause_group";

    private static final BulkTable<SequenceId> IDS = new BulkTable<>(
            "holdfast_sequence",
            List.of(
                    new Column<>("component", VARCHAR, SequenceId::component),
                    new Column<>("sequence", VARCHAR, SequenceId::sequence)),
            List.of());

    private static final BulkTable<ParkedSequence> SEQUENCES = new BulkTable<>(
            "holdfast_sequence",
            List.of(
                    new Column<>("component", VARCHAR, sequence -> sequence.id().component()),
                    new Column<>("sequence", VARCHAR, sequence -> sequence.id().sequence())),
            List.of(
                    new Column<>("consumer", VARCHAR, ParkedSequence::consumer),
                    new Column<>("hash", INT4, ParkedSequence::hash),
                    new Column<>("first_letter", INT8, ParkedSequence::first),
                    new Column<>("last_letter", INT8, ParkedSequence::last),
                    new Column<>("size", INT4, ParkedSequence::size),
                    new Column<>("state", VARCHAR, sequence -> sequence.state().name()),
                    new Column<>("attempts", INT4, ParkedSequence::attempts),
                    new Column<>("next_attempt", TIMESTAMPTZ, sequence -> timestamp(sequence.nextAttempt())),
                    new Column<>("since", TIMESTAMPTZ, sequence -> timestamp(sequence.since())),
                    new Column<>("held_by", VARCHAR, ParkedSequence::heldBy),
                    new Column<>("held_since", TIMESTAMPTZ, sequence -> timestampOrNull(sequence.heldSince())),
                    new Column<>("awaits", VARCHAR, ParkedSequence::awaits),
                    new Column<>("awaits_since", TIMESTAMPTZ, sequence -> timestampOrNull(sequence.awaitsSince())),
                    new Column<>("escalated", BOOL, ParkedSequence::escalated),
                    new Column<>("cause_group", VARCHAR, ParkedSequence::causeGroup)));

    private SequenceRows() {}

    /** @param condition the text after {@code where}, including the order */
    static List<ParkedSequence> find(Connection connection, String condition, Database.Parameters parameters)
            throws SQLException {
        return query(connection, "select " + COLUMNS + " from holdfast_sequence s where " + condition, parameters);
    }

    /** Finds the sequences that are parked. */
    static List<ParkedSequence> find(Connection connection, Dialect dialect, Collection<SequenceId> ids)
            throws SQLException {
        if (ids.isEmpty()) {
            return List.of();
        }
        String wanted = "unnest(" + dialect.array("varchar") + ", " + dialect.array("varchar") + ") as k(c, i)";
        String found = dialect.joinByKeys(wanted, "holdfast_sequence", "s", "s.component = k.c and s.sequence = k.i");
        return query(connection, "select " + COLUMNS + " from " + found, query -> {
            EventInserts.Columns<SequenceId> columns = new EventInserts.Columns<>(query, new LinkedHashSet<>(ids));
            columns.set(1, "varchar", String[]::new, SequenceId::component);
            columns.set(2, "varchar", String[]::new, SequenceId::sequence);
        });
    }

    /**
     * Finds sequences of one segment of a consumer, ordered by component and sequence. Reads up to {@code limit} per
     * state in index order, so that sequences in other states are not scanned.
     */
    static List<ParkedSequence> findOfSegment(
            Connection connection,
            Dialect dialect,
            String consumer,
            int number,
            int mask,
            Set<SequenceState> states,
            int limit)
            throws SQLException {
        if (states.isEmpty()) {
            return List.of();
        }
        String ofState = "(select " + COLUMNS + " from holdfast_sequence s where s.consumer = ? and s.state = ? and "
                + dialect.masked("s.hash") + " = ? order by s.component, s.sequence limit ?)";
        String all = states.stream().map(state -> ofState).collect(Collectors.joining(" union all "));
        String inOrder = "select " + COLUMNS + " from (" + all + ") s order by s.component, s.sequence limit ?";
        return query(connection, inOrder, query -> {
            int next = 1;
            for (SequenceState state : states) {
                query.setString(next++, consumer);
                query.setString(next++, state.name());
                query.setInt(next++, mask);
                query.setInt(next++, number);
                query.setInt(next++, limit);
            }
            query.setInt(next, limit);
        });
    }

    /** Finds sequences of a component, ordered by a time and then by identifier. */
    static List<ParkedSequence> findInOrder(
            Connection connection, SequenceOrder order, String component, @Nullable SequenceCursor after, int limit)
            throws SQLException {
        String condition = "s.component = ?" + (after == null ? "" : order.beyond()) + order.orderBy() + " limit ?";
        return find(connection, condition, query -> {
            int next = 1;
            query.setString(next++, component);
            if (after != null) {
                query.setObject(next++, timestamp(after.time()));
                query.setObject(next++, timestamp(after.time()));
                query.setString(next++, after.sequence());
            }
            query.setInt(next, limit);
        });
    }

    static Optional<Instant> findOldestPending(Connection connection, String component) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select since from holdfast_sequence"
                + " where component = ? and state = 'PENDING' order by component, state, since limit 1")) {
            query.setString(1, component);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(EventColumns.instant(row, "since")) : Optional.empty();
            }
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
        SEQUENCES.upsert(connection, dialect, sequences);
    }

    static void delete(Connection connection, Dialect dialect, Collection<SequenceId> ended) throws SQLException {
        IDS.delete(connection, dialect, ended);
    }

    static void set(PreparedStatement statement, int first, SequenceId id) throws SQLException {
        statement.setString(first, id.component());
        statement.setString(first + 1, id.sequence());
    }

    private static List<ParkedSequence> query(Connection connection, String sql, Database.Parameters parameters)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
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

    /** Maps a row with all columns of a sequence. */
    static ParkedSequence sequence(ResultSet row) throws SQLException {
        return new ParkedSequence(
                new SequenceId(row.getString("component"), row.getString("sequence")),
                row.getString("consumer"),
                row.getInt("hash"),
                row.getLong("first_letter"),
                row.getLong("last_letter"),
                row.getInt("size"),
                SequenceState.valueOf(row.getString("state")),
                row.getInt("attempts"),
                EventColumns.instant(row, "next_attempt"),
                EventColumns.instant(row, "since"),
                row.getString("held_by"),
                instantOrNull(row, "held_since"),
                row.getString("awaits"),
                instantOrNull(row, "awaits_since"),
                row.getBoolean("escalated"),
                row.getString("cause_group"));
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable OffsetDateTime timestampOrNull(@Nullable Instant time) {
        return time == null ? null : timestamp(time);
    }
}

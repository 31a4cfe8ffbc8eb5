package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.StreamPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evicts the letters of a consumer whose events will be handled again. Requires the head lock, so that no letter is
 * parked or counted concurrently.
 */
final class LetterReset {

    private final Connection connection;
    private final Dialect dialect;
    private final Instant now;

    LetterReset(Connection connection, Dialect dialect, Instant now) {
        this.connection = connection;
        this.dialect = dialect;
        this.now = now;
    }

    void reset(String consumer, Map<String, StreamPosition> start) throws SQLException {
        List<LetterId> removed = new ArrayList<>();
        List<UUID> events = new ArrayList<>();
        Map<SequenceId, RemainingLetters> remaining = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(
                "select l.component, l.sequence, l.number, l.event_id, l.stream, l.log_position, l.enqueued_at,"
                        + " l.cause_type is null as unattempted"
                        + " from holdfast_sequence s join holdfast_letter l"
                        + " on l.component = s.component and l.sequence = s.sequence"
                        + " where s.consumer = ? order by l.component, l.sequence, l.number")) {
            query.setString(1, consumer);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    SequenceId sequence = new SequenceId(row.getString("component"), row.getString("sequence"));
                    long number = row.getLong("number");
                    if (isAbove(row, start)) {
                        removed.add(new LetterId(sequence, number));
                        events.add(row.getObject("event_id", UUID.class));
                    } else {
                        remaining
                                .computeIfAbsent(sequence, unused -> new RemainingLetters())
                                .add(number, EventColumns.instant(row, "enqueued_at"), row.getBoolean("unattempted"));
                    }
                }
            }
        }
        write(consumer, removed, events, remaining);
    }

    /** Compares positions only: the source reports older events in its newest epoch after its database was restored. */
    private static boolean isAbove(ResultSet letter, Map<String, StreamPosition> start) throws SQLException {
        StreamPosition from = start.get(letter.getString("stream"));
        return from != null && letter.getLong("log_position") > from.position();
    }

    private void write(
            String consumer, List<LetterId> removed, List<UUID> events, Map<SequenceId, RemainingLetters> remaining)
            throws SQLException {
        List<ParkedSequence> changed = new ArrayList<>();
        List<SequenceId> ended = new ArrayList<>();
        for (ParkedSequence sequence :
                SequenceRows.find(connection, "consumer = ?", query -> query.setString(1, consumer))) {
            RemainingLetters letters = remaining.get(sequence.id());
            if (letters == null) {
                ended.add(sequence.id());
            } else if (letters.size != sequence.size()) {
                changed.add(letters.applyTo(sequence, now));
            }
        }
        LetterWrites writes = new LetterWrites(List.of(), List.of(), removed, changed, ended);
        QueueLedger ledger = new QueueLedger(CommittedQueues.load(connection, dialect, List.of(writes)));
        ledger.apply(writes); // limits do not apply
        new JdbcLetterTables(connection, dialect)
                .write(MergedLetterWrites.of(writes).merged(), ledger.changedCounts());
        OutcomeRows.write(connection, dialect, cleared(removed, events));
    }

    private static LetterWrites cleared(List<LetterId> letters, List<UUID> events) {
        List<ResolvedLetter> resolved = IntStream.range(0, events.size())
                .mapToObj(i -> new ResolvedLetter(
                        letters.get(i).sequence().component(), events.get(i), ResolvedLetter.Status.CLEARED, null))
                .toList();
        return LetterWrites.NONE
                .withOutcomes(resolved.stream().map(ResolvedLetter::outcome).toList())
                .withResolved(resolved);
    }

    /** The letters of a sequence that remain. */
    private static final class RemainingLetters {

        private @Nullable Long firstNumber;
        private @Nullable Instant since;
        private boolean isFirstUnattempted;
        private long lastNumber;
        private int size;

        void add(long number, Instant enqueuedAt, boolean isUnattempted) {
            if (firstNumber == null) {
                firstNumber = number;
                since = enqueuedAt;
                isFirstUnattempted = isUnattempted;
            }
            lastNumber = number;
            size++;
        }

        ParkedSequence applyTo(ParkedSequence before, Instant now) {
            long first = Objects.requireNonNull(firstNumber);
            Instant firstSince = Objects.requireNonNull(since);
            ParkedSequence updated = before.with(first, lastNumber, size, firstSince);
            return first != before.first() && isFirstUnattempted
                    ? updated.shortened(first, size, firstSince, now)
                    : updated;
        }
    }
}

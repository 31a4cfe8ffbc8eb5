package io.holdfast.jdbc;

import io.holdfast.action.LetterItem;
import io.holdfast.action.Settlement;
import io.holdfast.deadletter.DeadLetter;
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
import org.jspecify.annotations.Nullable;

/**
 * Evicts the letters of a consumer whose events will be handled again. Requires the head lock, so that no letter is
 * parked or counted concurrently.
 */
final class LetterReset {

    private static final int PAGE_SIZE = 200;

    private final Connection connection;
    private final Dialect dialect;
    private final Instant now;
    private final @Nullable Settlement settlement;

    /** @param settlement of the reset, to whose items the letters are added */
    LetterReset(Connection connection, Dialect dialect, Instant now, @Nullable Settlement settlement) {
        this.settlement = settlement;
        this.connection = connection;
        this.dialect = dialect;
        this.now = now;
    }

    void reset(String consumer, Map<String, StreamPosition> start) throws SQLException {
        List<LetterId> removed = new ArrayList<>();
        Map<SequenceId, RemainingLetters> remaining = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(
                "select l.component, l.sequence, l.number, l.stream, l.log_position, l.enqueued_at,"
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
                    } else {
                        remaining
                                .computeIfAbsent(sequence, unused -> new RemainingLetters())
                                .add(number, EventColumns.instant(row, "enqueued_at"), row.getBoolean("unattempted"));
                    }
                }
            }
        }
        write(consumer, removed, remaining);
    }

    /** Compares positions only: the source reports older events in its newest epoch after its database was restored. */
    private static boolean isAbove(ResultSet letter, Map<String, StreamPosition> start) throws SQLException {
        StreamPosition from = start.get(letter.getString("stream"));
        return from != null && letter.getLong("log_position") > from.position();
    }

    private void write(String consumer, List<LetterId> removed, Map<SequenceId, RemainingLetters> remaining)
            throws SQLException {
        List<ParkedSequence> changed = new ArrayList<>();
        List<SequenceId> ended = new ArrayList<>();
        Map<SequenceId, ParkedSequence> sequences = new HashMap<>();
        for (ParkedSequence sequence :
                SequenceRows.find(connection, "consumer = ?", query -> query.setString(1, consumer))) {
            sequences.put(sequence.id(), sequence);
            RemainingLetters letters = remaining.get(sequence.id());
            if (letters == null) {
                ended.add(sequence.id());
            } else if (letters.size != sequence.size()) {
                changed.add(withCause(letters.applyTo(sequence, now)));
            }
        }
        clear(removed, sequences);
        LetterWrites writes = new LetterWrites(List.of(), List.of(), removed, changed, ended);
        QueueLedger ledger = new QueueLedger(CommittedQueues.load(connection, dialect, List.of(writes)));
        ledger.apply(writes); // limits do not apply
        new JdbcLetterTables(connection, dialect)
                .write(MergedLetterWrites.of(writes).merged(), ledger.changedCounts());
        CauseGroupRows.write(connection, dialect, ledger.changedGroups());
    }

    private ParkedSequence withCause(ParkedSequence sequence) throws SQLException {
        List<DeadLetter> first = LetterRows.find(connection, sequence.id(), sequence.first(), 1);
        return first.isEmpty() ? sequence : sequence.withCauseOf(first.get(0));
    }

    /** Settles items and writes resolved letters, page by page, so that few letters are in memory at a time. */
    private void clear(List<LetterId> removed, Map<SequenceId, ParkedSequence> sequences) throws SQLException {
        for (int from = 0; from < removed.size(); from += PAGE_SIZE) {
            List<LetterId> page = removed.subList(from, Math.min(removed.size(), from + PAGE_SIZE));
            List<ResolvedLetter> cleared = LetterRows.find(connection, dialect, page).stream()
                    .map(letter -> ResolvedLetter.of(
                            letter,
                            Objects.requireNonNull(sequences.get(letter.sequence())),
                            ResolvedLetter.Status.CLEARED,
                            null))
                    .toList();
            OutcomeRows.write(
                    connection,
                    dialect,
                    LetterWrites.NONE
                            .withOutcomes(cleared.stream()
                                    .map(ResolvedLetter::outcome)
                                    .toList())
                            .withResolved(cleared),
                    settlement == null ? null : settlement.replica());
            addItems(cleared, sequences);
        }
    }

    private void addItems(List<ResolvedLetter> cleared, Map<SequenceId, ParkedSequence> sequences) throws SQLException {
        if (settlement != null) {
            List<LetterItem> items = cleared.stream()
                    .map(ResolvedLetter::letter)
                    .map(letter -> LetterItem.of(letter, Objects.requireNonNull(sequences.get(letter.sequence()))))
                    .toList();
            ItemRows.insertCleared(connection, dialect, settlement, items);
        }
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

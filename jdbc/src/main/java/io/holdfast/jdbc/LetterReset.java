package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
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
 * Lets the letters of a consumer go whose events will be handled again. The segments of the consumer are locked, so that
 * nobody parks meanwhile.
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

    void to(String consumer, Map<String, StreamPosition> start) throws SQLException {
        List<LetterId> removed = new ArrayList<>();
        Map<SequenceId, Left> left = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement(
                "select l.component, l.sequence, l.number, l.stream, l.log_position, l.cause_type is null as untried"
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
                        left.computeIfAbsent(sequence, unused -> new Left()).add(number, row.getBoolean("untried"));
                    }
                }
            }
        }
        write(consumer, removed, left);
    }

    /** By number alone: the source gives an event of before a restore the epoch that it is in now. */
    private static boolean isAbove(ResultSet letter, Map<String, StreamPosition> start) throws SQLException {
        StreamPosition from = start.get(letter.getString("stream"));
        return from != null && letter.getLong("log_position") > from.position();
    }

    private void write(String consumer, List<LetterId> removed, Map<SequenceId, Left> left) throws SQLException {
        List<ParkedSequence> changed = new ArrayList<>();
        List<SequenceId> ended = new ArrayList<>();
        for (ParkedSequence sequence :
                SequenceRows.find(connection, "consumer = ?", query -> query.setString(1, consumer))) {
            Left letters = left.get(sequence.id());
            if (letters == null) {
                ended.add(sequence.id());
            } else if (letters.size != sequence.size()) {
                changed.add(letters.of(sequence, now));
            }
        }
        LetterChanges changes = new LetterChanges();
        changes.add(new LetterWrites(List.of(), List.of(), removed, changed, ended));
        changes.write(connection, dialect);
    }

    /** What is left of a sequence. */
    private static final class Left {

        private @Nullable Long head;
        private boolean isHeadUntried;
        private long tail;
        private int size;

        void add(long number, boolean isUntried) {
            if (head == null) {
                head = number;
                isHeadUntried = isUntried;
            }
            tail = number;
            size++;
        }

        ParkedSequence of(ParkedSequence before, Instant now) {
            long first = Objects.requireNonNull(head);
            ParkedSequence kept = new ParkedSequence(
                    before.id(),
                    before.consumer(),
                    before.hash(),
                    first,
                    tail,
                    size,
                    before.state(),
                    before.attempts(),
                    before.nextAttempt(),
                    before.heldBy(),
                    before.heldSince());
            return first != before.head() && isHeadUntried ? kept.shortened(first, size, now) : kept;
        }
    }
}

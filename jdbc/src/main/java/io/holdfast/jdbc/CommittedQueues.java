package io.holdfast.jdbc;

import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.deadletter.SequenceId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The committed counts and sequences of the queues that letter writes change. Loaded with one query per table, or
 * without any query if no sequence changes. Requires the head lock.
 */
record CommittedQueues(Map<String, QueueCounts> counts, Map<SequenceId, ParkedSequence> sequences)
        implements QueueLedger.Committed {

    static CommittedQueues load(Connection connection, Dialect dialect, Collection<LetterWrites> writes)
            throws SQLException {
        Set<SequenceId> changed = writes.stream()
                .flatMap(letters -> Stream.concat(
                        letters.removedSequences().stream(),
                        letters.sequences().stream().map(ParkedSequence::id)))
                .collect(Collectors.toSet());
        if (changed.isEmpty()) {
            return new CommittedQueues(Map.of(), Map.of());
        }
        Set<String> components = changed.stream().map(SequenceId::component).collect(Collectors.toSet());
        return new CommittedQueues(
                QueueRows.find(connection, dialect, components),
                SequenceRows.find(connection, dialect, changed).stream()
                        .collect(Collectors.toMap(ParkedSequence::id, Function.identity())));
    }

    @Override
    public QueueCounts counts(String component) {
        return counts.getOrDefault(component, QueueCounts.EMPTY);
    }

    @Override
    public @Nullable ParkedSequence sequence(SequenceId id) {
        return sequences.get(id);
    }
}

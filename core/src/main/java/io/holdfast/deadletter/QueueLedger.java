package io.holdfast.deadletter;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What writes of letters make of the counts of their queues, and whether that is within the limits; the same in every
 * store. One for each transaction, under the head.
 */
public final class QueueLedger {

    private final Committed committed;
    private final Map<String, QueueCounts> counts = new HashMap<>();
    private final Map<SequenceId, Optional<ParkedSequence>> sequences = new HashMap<>();

    public QueueLedger(Committed committed) {
        this.committed = committed;
    }

    /** What a store has committed. */
    public interface Committed {

        QueueCounts counts(String component);

        /** A sequence, or null if nothing of it is parked. */
        @Nullable
        ParkedSequence sequence(SequenceId id);
    }

    /** @return why the writes are too much; empty if they are accepted, and count from now on */
    public Optional<DeadLetterQueueOverflowException> apply(LetterWrites writes) {
        Map<String, QueueCounts> after = new LinkedHashMap<>();
        for (SequenceId ended : writes.removedSequences()) {
            subtract(after, ended);
        }
        for (ParkedSequence sequence : writes.sequences()) {
            subtract(after, sequence.id());
            after.compute(sequence.id().component(), (component, before) -> Objects.requireNonNull(before)
                    .with(sequence));
        }
        Optional<DeadLetterQueueOverflowException> overflow = overflow(writes, after);
        if (overflow.isEmpty()) {
            counts.putAll(after);
            writes.removedSequences().forEach(ended -> sequences.put(ended, Optional.empty()));
            writes.sequences().forEach(sequence -> sequences.put(sequence.id(), Optional.of(sequence)));
        }
        return overflow;
    }

    /** The queues whose counts may have changed, as they are now. */
    public Map<String, QueueCounts> changedCounts() {
        return Map.copyOf(counts);
    }

    private void subtract(Map<String, QueueCounts> after, SequenceId id) {
        QueueCounts before = after.computeIfAbsent(id.component(), this::counts);
        sequence(id).ifPresent(sequence -> after.put(id.component(), before.without(sequence)));
    }

    private Optional<DeadLetterQueueOverflowException> overflow(LetterWrites writes, Map<String, QueueCounts> after) {
        for (Map.Entry<String, QueueLimits> limited : writes.limits().entrySet()) {
            String component = limited.getKey();
            QueueLimits limits = limited.getValue();
            QueueCounts before = counts(component);
            QueueCounts now = after.getOrDefault(component, before);
            if (now.pending() > before.pending() && now.pending() > limits.maxSequences()) {
                return limits.maxSequences() == 0
                        ? overflow(component, "it is switched off, so nothing can wait for a person")
                        : overflow(component, "sequences for a person", limits.maxSequences(), "max-sequences");
            }
            if (startsSequence(writes, component) && now.waiting() > Math.max(limits.maxWaiting(), before.waiting())) {
                return overflow(component, "sequences for another attempt", limits.maxWaiting(), "max-waiting");
            }
        }
        return writes.sequences().stream()
                .filter(sequence ->
                        isTooLong(sequence, writes.limits().get(sequence.id().component())))
                .findFirst()
                .flatMap(sequence -> overflow(
                        sequence.id().component(),
                        "letters in sequence " + sequence.id().sequence(),
                        Objects.requireNonNull(writes.limits().get(sequence.id().component()))
                                .maxSequenceSize(),
                        "max-sequence-size"));
    }

    /** What was parked before may always go from waiting for a person to waiting for an attempt. */
    private boolean startsSequence(LetterWrites writes, String component) {
        return writes.sequences().stream()
                .anyMatch(sequence -> sequence.id().component().equals(component)
                        && sequence(sequence.id()).isEmpty());
    }

    private boolean isTooLong(ParkedSequence sequence, @Nullable QueueLimits limits) {
        int before = sequence(sequence.id()).map(ParkedSequence::size).orElse(0);
        return limits != null && sequence.size() > limits.maxSequenceSize() && sequence.size() > before;
    }

    private static Optional<DeadLetterQueueOverflowException> overflow(
            String component, String what, int limit, String property) {
        return overflow(
                component,
                "it holds " + limit + " " + what + " at most (" + property
                        + "); replay or discard letters, or raise the limit");
    }

    private static Optional<DeadLetterQueueOverflowException> overflow(String component, String why) {
        return Optional.of(new DeadLetterQueueOverflowException(component, why));
    }

    private QueueCounts counts(String component) {
        QueueCounts staged = counts.get(component);
        return staged == null ? committed.counts(component) : staged;
    }

    private Optional<ParkedSequence> sequence(SequenceId id) {
        Optional<ParkedSequence> staged = sequences.get(id);
        return staged == null ? Optional.ofNullable(committed.sequence(id)) : staged;
    }
}

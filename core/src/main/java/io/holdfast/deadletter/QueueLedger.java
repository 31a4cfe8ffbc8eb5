package io.holdfast.deadletter;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies letter writes to the counts of their queues and rejects writes that exceed a limit. Sequences that await
 * another version of the service count against no limit: they must not block this version. Shared by all stores.
 * Create one per transaction, after the head row is locked. Not thread-safe.
 */
public final class QueueLedger {

    private final Committed committed;
    private final Map<String, QueueCounts> counts = new HashMap<>();
    private final Map<SequenceId, Optional<ParkedSequence>> sequences = new HashMap<>();
    private final CauseGroupLedger groups = new CauseGroupLedger();

    public QueueLedger(Committed committed) {
        this.committed = committed;
    }

    /** Reads a store's committed state. */
    public interface Committed {

        QueueCounts counts(String component);

        /** @return the sequence, or null if no letter of it is parked */
        @Nullable
        ParkedSequence sequence(SequenceId id);
    }

    /** @return the overflow if the writes exceed a limit; empty if they were applied to the counts */
    public Optional<DeadLetterQueueOverflowException> apply(LetterWrites writes) {
        Map<String, QueueCounts> after = new LinkedHashMap<>();
        for (SequenceId removed : writes.removedSequences()) {
            subtract(after, removed);
        }
        for (ParkedSequence sequence : writes.sequences()) {
            subtract(after, sequence.id());
            after.compute(sequence.id().component(), (component, before) -> Objects.requireNonNull(before)
                    .with(sequence));
        }
        Optional<DeadLetterQueueOverflowException> overflow = overflow(writes, after);
        if (overflow.isEmpty()) {
            counts.putAll(after);
            groups.apply(writes, this::sequence);
            writes.removedSequences().forEach(removed -> sequences.put(removed, Optional.empty()));
            writes.sequences().forEach(sequence -> sequences.put(sequence.id(), Optional.of(sequence)));
        }
        return overflow;
    }

    /** Returns the current counts of all queues whose counts may have changed, by component. */
    public Map<String, QueueCounts> changedCounts() {
        return Map.copyOf(counts);
    }

    /** Returns how the cause groups change, at most once per group. */
    public List<CauseGroupChange> changedGroups() {
        return groups.changes();
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
            if (now.limitedPending() > Math.max(limits.maxSequences(), before.limitedPending())) {
                return limits.maxSequences() == 0
                        ? overflow(component, "it is disabled, so no sequence can become PENDING")
                        : overflow(component, limits.maxSequences(), "PENDING sequences", "max-sequences");
            }
            if (startsSequence(writes, component)
                    && now.limitedWaiting() > Math.max(limits.maxWaiting(), before.limitedWaiting())) {
                return overflow(component, limits.maxWaiting(), "RETRYING and HELD sequences", "max-waiting");
            }
        }
        return writes.sequences().stream()
                .filter(sequence ->
                        isTooLong(sequence, writes.limits().get(sequence.id().component())))
                .findFirst()
                .flatMap(sequence -> overflow(
                        sequence.id().component(),
                        Objects.requireNonNull(writes.limits().get(sequence.id().component()))
                                .maxSequenceSize(),
                        "letters in sequence " + sequence.id().sequence(),
                        "max-sequence-size"));
    }

    /** Only new sequences count against max-waiting: a parked one may always change from PENDING to RETRYING. */
    private boolean startsSequence(LetterWrites writes, String component) {
        return writes.sequences().stream()
                .anyMatch(sequence -> sequence.id().component().equals(component)
                        && sequence(sequence.id()).isEmpty());
    }

    private boolean isTooLong(ParkedSequence sequence, @Nullable QueueLimits limits) {
        int before = sequence(sequence.id()).map(ParkedSequence::size).orElse(0);
        return limits != null
                && sequence.awaits() == null
                && sequence.size() > limits.maxSequenceSize()
                && sequence.size() > before;
    }

    private static Optional<DeadLetterQueueOverflowException> overflow(
            String component, int limit, String counted, String property) {
        return overflow(
                component,
                "it allows at most " + limit + " " + counted + " (" + property
                        + "); replay or discard letters, or raise the limit");
    }

    private static Optional<DeadLetterQueueOverflowException> overflow(String component, String reason) {
        return Optional.of(new DeadLetterQueueOverflowException(component, reason));
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

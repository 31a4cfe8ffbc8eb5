package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.deadletter.SequenceId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tracks the replays that operators requested from this replica until they complete. Thread-safe. */
final class ReplaysInProgress {

    /**
     * Time after which a replay no longer blocks a discard: while no replica has claimed the segment, the replay may
     * take arbitrarily long.
     */
    private static final Duration MAX_TRACKED = Duration.ofMinutes(1);

    private final Map<SequenceId, Integer> running = new ConcurrentHashMap<>();
    private final Map<EntryReference, Integer> awaited = new ConcurrentHashMap<>();

    /** Registers the replay of a sequence until its future completes. */
    void begin(SequenceId sequence, CompletableFuture<Boolean> processing) {
        increment(running, sequence);
        var unused = processing
                .copy()
                .orTimeout(MAX_TRACKED.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((drained, failure) -> decrement(running, sequence));
    }

    boolean contains(SequenceId sequence) {
        return running.containsKey(sequence);
    }

    /** Runs a replay, and marks its entry as awaited meanwhile. */
    ReplayResult awaiting(EntryReference entry, Supplier<ReplayResult> replay) {
        increment(awaited, entry);
        try {
            return replay.get();
        } finally {
            decrement(awaited, entry);
        }
    }

    boolean isAwaited(EntryReference entry) {
        return awaited.containsKey(entry);
    }

    private static <K> void increment(Map<K, Integer> counts, K key) {
        counts.merge(key, 1, Integer::sum);
    }

    private static <K> void decrement(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }
}

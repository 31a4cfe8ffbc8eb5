package io.holdfast.admin;

import io.holdfast.admin.ServiceComponents.EntryReference;
import io.holdfast.deadletter.SequenceId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What operators have asked this replica to process, and is not through. For any number of threads. */
final class ReplaysInProgress {

    /** Nobody knows how long a replay takes whose segment nobody has; a person must get on with it some time. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Map<SequenceId, Integer> running = new ConcurrentHashMap<>();
    private final Map<EntryReference, Integer> awaited = new ConcurrentHashMap<>();

    /** A sequence is being processed, until this completes. */
    void begin(SequenceId sequence, CompletableFuture<Boolean> processing) {
        increment(running, sequence);
        var unused = processing
                .copy()
                .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((drained, failure) -> decrement(running, sequence));
    }

    boolean contains(SequenceId sequence) {
        return running.containsKey(sequence);
    }

    /** Replays a letter, and waits for what comes of it. */
    ReplayResult awaiting(EntryReference place, Supplier<ReplayResult> replay) {
        increment(awaited, place);
        try {
            return replay.get();
        } finally {
            decrement(awaited, place);
        }
    }

    boolean isAwaited(EntryReference place) {
        return awaited.containsKey(place);
    }

    private static <K> void increment(Map<K, Integer> counts, K key) {
        counts.merge(key, 1, Integer::sum);
    }

    private static <K> void decrement(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }
}

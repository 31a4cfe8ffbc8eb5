package io.holdfast.admin;

import io.holdfast.deadletter.SequenceId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The sequences that operators have asked this replica to process, and that are not through. For any number of threads. */
final class ReplaysInProgress {

    /** Nobody knows how long a replay takes whose segment nobody has; a person must get on with it some time. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Map<SequenceId, Integer> running = new ConcurrentHashMap<>();

    void begin(SequenceId sequence, CompletableFuture<Boolean> processing) {
        running.merge(sequence, 1, Integer::sum);
        var unused = processing
                .copy()
                .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((drained, failure) ->
                        running.computeIfPresent(sequence, (id, count) -> count == 1 ? null : count - 1));
    }

    boolean contains(SequenceId sequence) {
        return running.containsKey(sequence);
    }
}

package io.holdfast.deadletter;

import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Replays the parked letters of one component immediately, in any state. The letters of a sequence are handled in
 * order, only by the component that failed, until the sequence is empty or a letter fails again. A sequence whose
 * segment belongs to another replica is replayed there.
 *
 * <p>Thread-safe. Only one replay per sequence runs at a time. A concurrent request for the same sequence gets the
 * outcome of the running one.
 */
public interface SequencedDeadLetterProcessor {

    /**
     * Replays the sequence that has been due longest. Every attempt moves a sequence behind all others.
     *
     * @return whether the sequence was drained; false also if nothing is parked
     */
    CompletableFuture<Boolean> processAny();

    /**
     * As {@link #processAny}, restricted to sequences whose first letter matches. Searches all parked sequences.
     *
     * @param firstLetter must be quick; called on a processor's thread
     */
    CompletableFuture<Boolean> process(Predicate<DeadLetter> firstLetter);

    /**
     * Replays one sequence, found directly by its identifier.
     *
     * @return whether the sequence was drained; false also if no letter of it is parked
     */
    CompletableFuture<Boolean> processSequence(String sequence);

    /** Replays every sequence that is parked now, each once. */
    BulkReplay processAll(BulkReplaySettings settings);

    /** Replays every sequence that is parked now and whose first letter matches, each once. */
    BulkReplay processAll(Predicate<DeadLetter> firstLetter, BulkReplaySettings settings);
}

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
     * @return what became of it; not drained and without letters if nothing is parked
     */
    CompletableFuture<SequenceOutcome> processNext();

    /**
     * As {@link #processNext}, restricted to sequences whose first letter matches. Searches all parked sequences.
     *
     * @param firstLetter must be quick; called on a processor's thread
     */
    CompletableFuture<SequenceOutcome> processNext(Predicate<DeadLetter> firstLetter);

    /**
     * Replays one sequence, found directly by its identifier.
     *
     * @return what became of it; not drained and without letters if no letter of it is parked
     */
    CompletableFuture<SequenceOutcome> processSequence(String sequence);

    /** Returns whether {@link #processNext} drains a sequence; false also if nothing is parked. */
    default CompletableFuture<Boolean> processAny() {
        return processNext().thenApply(SequenceOutcome::drained);
    }

    /** Returns whether {@link #processNext(Predicate)} drains a sequence; false also if none matches. */
    default CompletableFuture<Boolean> process(Predicate<DeadLetter> firstLetter) {
        return processNext(firstLetter).thenApply(SequenceOutcome::drained);
    }

    /** Replays every sequence that is parked now, each once. */
    BulkReplay processAll(BulkReplaySettings settings);

    /** Replays every sequence that is parked now and whose first letter matches, each once. */
    BulkReplay processAll(Predicate<DeadLetter> firstLetter, BulkReplaySettings settings);
}

package io.holdfast.deadletter;

import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Processes what is parked for one component again, at once, whatever it waits for: its letters in order, through the
 * component that failed and only that one, until the sequence is empty or one fails again. What another replica has the
 * segment of is processed there.
 *
 * <p>For any number of threads. A sequence is worked on once at a time: whoever asks for one that is being worked on gets the
 * answer of that.
 */
public interface SequencedDeadLetterProcessor {

    /**
     * Processes the sequence whose turn it is: that which has been due longest. Every attempt moves it behind the others.
     *
     * @return whether it was drained; false also if nothing is parked
     */
    CompletableFuture<Boolean> processAny();

    /**
     * As {@link #processAny}, among the sequences whose first letter matches, however many there are.
     *
     * @param head must be quick; called on a thread of the processor
     */
    CompletableFuture<Boolean> process(Predicate<DeadLetter> head);

    /**
     * Processes one sequence, without looking for it among the others. Whoever names one that is being worked on gets the
     * answer of that.
     *
     * @return whether it was drained; false also if nothing of it is parked
     */
    CompletableFuture<Boolean> processSequence(String sequence);

    /** Processes every sequence that is parked now, each once. */
    BulkReplay processAll(BulkReplaySettings settings);

    /** Processes every sequence that is parked now and whose first letter matches, each once. */
    BulkReplay processAll(Predicate<DeadLetter> head, BulkReplaySettings settings);
}

package io.holdfast.deadletter;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;

/**
 * How much a queue takes: {@code framework.dlq.max-sequences}, {@code .max-sequence-size}, {@code .max-waiting}.
 *
 * @param maxSequences how many sequences may wait for a person; 0 if the queue is switched off for them
 * @param maxSequenceSize how many letters a sequence may have
 * @param maxWaiting how many sequences may wait for another attempt, or for a breaker
 */
public record QueueLimits(int maxSequences, int maxSequenceSize, int maxWaiting) {

    public static final int DEFAULT_MAX_SEQUENCES = 1024;
    public static final int DEFAULT_MAX_SEQUENCE_SIZE = 1024;
    public static final int DEFAULT_MAX_WAITING = 100_000;

    public static final QueueLimits DEFAULT =
            new QueueLimits(DEFAULT_MAX_SEQUENCES, DEFAULT_MAX_SEQUENCE_SIZE, DEFAULT_MAX_WAITING);

    public QueueLimits {
        List<String> wrong = new ArrayList<>();
        require(wrong, "max-sequences", maxSequences, 0);
        require(wrong, "max-sequence-size", maxSequenceSize, 1);
        require(wrong, "max-waiting", maxWaiting, 1);
        if (!wrong.isEmpty()) {
            throw new PermanentException(
                    "a dead-letter queue cannot be limited like this: " + String.join(", ", wrong));
        }
    }

    private static void require(List<String> wrong, String what, int value, int least) {
        if (value < least) {
            wrong.add(what + " must be " + least + " or more, but is " + value);
        }
    }
}

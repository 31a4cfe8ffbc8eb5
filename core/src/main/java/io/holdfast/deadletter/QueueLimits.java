package io.holdfast.deadletter;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits of a dead-letter queue: {@code framework.dlq.max-sequences}, {@code .max-sequence-size}, {@code .max-waiting}.
 *
 * @param maxSequences the maximum number of PENDING sequences; 0 if the queue is disabled
 * @param maxSequenceSize the maximum number of letters in a sequence
 * @param maxWaiting the maximum number of RETRYING and HELD sequences
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
            throw new PermanentException("invalid limits of a dead-letter queue: " + String.join(", ", wrong));
        }
    }

    private static void require(List<String> wrong, String property, int value, int minimum) {
        if (value < minimum) {
            wrong.add(property + " must be " + minimum + " or more, but is " + value);
        }
    }
}

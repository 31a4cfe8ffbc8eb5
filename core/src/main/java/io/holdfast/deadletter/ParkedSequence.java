package io.holdfast.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of which letters are parked: all that must be known of it to go on without looking at the letters.
 *
 * @param consumer the processor
 * @param hash of the identifier, which says whose share it is
 * @param head the number of its first letter
 * @param tail the number of its last letter
 * @param size how many there are
 * @param attempts how often the head was tried
 * @param nextAttempt when the head is due; null if that is for a person to say
 * @param heldBy the breaker, if that is what it waits for
 * @param heldSince when it began to wait for the breaker
 */
public record ParkedSequence(
        SequenceId id,
        String consumer,
        int hash,
        long head,
        long tail,
        int size,
        SequenceState state,
        int attempts,
        @Nullable Instant nextAttempt,
        @Nullable String heldBy,
        @Nullable Instant heldSince) {

    /** With one more letter behind the others. */
    public ParkedSequence grown() {
        return new ParkedSequence(
                id, consumer, hash, head, tail + 1, size + 1, state, attempts, nextAttempt, heldBy, heldSince);
    }

    /** The head was tried again and failed, and there will be another try. */
    public ParkedSequence retrying(int tried, Instant next) {
        return new ParkedSequence(
                id, consumer, hash, head, tail, size, SequenceState.RETRYING, tried, next, null, null);
    }

    public ParkedSequence held(String breaker, Instant since, Instant next) {
        return new ParkedSequence(
                id, consumer, hash, head, tail, size, SequenceState.HELD, attempts, next, breaker, since);
    }

    public ParkedSequence pending(int tried) {
        return new ParkedSequence(id, consumer, hash, head, tail, size, SequenceState.PENDING, tried, null, null, null);
    }

    /** The first letters have left; the next one has not been tried, and is due now. */
    public ParkedSequence shortened(long newHead, int left, Instant now) {
        return new ParkedSequence(id, consumer, hash, newHead, tail, left, SequenceState.RETRYING, 0, now, null, null);
    }
}

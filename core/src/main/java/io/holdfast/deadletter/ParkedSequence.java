package io.holdfast.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of which letters are parked: all that must be known of it to go on without looking at the letters.
 *
 * @param consumer the processor
 * @param hash of the identifier, which says whose share it is
 * @param first the number of its first letter
 * @param last the number that was given last; the next letter gets the one above
 * @param size how many there are
 * @param attempts how often the head was tried
 * @param nextAttempt when the head is due, and so its turn among others. A sequence that waits for a person has been due
 *     since it was last tried
 * @param since when its head was parked
 * @param heldBy the breaker, if that is what it waits for
 * @param heldSince when it began to wait for the breaker
 */
public record ParkedSequence(
        SequenceId id,
        String consumer,
        int hash,
        long first,
        long last,
        int size,
        SequenceState state,
        int attempts,
        Instant nextAttempt,
        Instant since,
        @Nullable String heldBy,
        @Nullable Instant heldSince) {

    /** With one letter, which is due now. */
    public static ParkedSequence start(SequenceId id, String consumer, int hash, Instant now) {
        return new ParkedSequence(id, consumer, hash, 0, 0, 1, SequenceState.RETRYING, 0, now, now, null, null);
    }

    /** With one more letter behind the others. */
    public ParkedSequence grown() {
        return with(first, last + 1, size + 1, since);
    }

    /** The head was tried again and failed, and there will be another try. */
    public ParkedSequence retrying(int tried, Instant next) {
        return withState(SequenceState.RETRYING, tried, next, null, null);
    }

    public ParkedSequence held(String breaker, Instant heldFrom, Instant next) {
        return withState(SequenceState.HELD, attempts, next, breaker, heldFrom);
    }

    public ParkedSequence pending(int tried, Instant now) {
        return withState(SequenceState.PENDING, tried, now, null, null);
    }

    /** Somebody wants it to be tried now. */
    public ParkedSequence due(Instant now) {
        return withState(SequenceState.RETRYING, attempts, now, heldBy, heldSince);
    }

    /** All others have their turn before it is tried again; else it is as it was. */
    public ParkedSequence movedBack(Instant next) {
        return withState(state, attempts, next, heldBy, heldSince);
    }

    /** The first letters have left; the next one has not been tried, and is due now. */
    public ParkedSequence shortened(long newHead, int left, Instant headSince, Instant now) {
        return with(newHead, last, left, headSince).withState(SequenceState.RETRYING, 0, now, null, null);
    }

    /** With other letters than before, in the same state. */
    public ParkedSequence with(long newHead, long newTail, int newSize, Instant headSince) {
        return new ParkedSequence(
                id,
                consumer,
                hash,
                newHead,
                newTail,
                newSize,
                state,
                attempts,
                nextAttempt,
                headSince,
                heldBy,
                heldSince);
    }

    private ParkedSequence withState(
            SequenceState newState, int tried, Instant next, @Nullable String breaker, @Nullable Instant heldFrom) {
        return new ParkedSequence(
                id, consumer, hash, first, last, size, newState, tried, next, since, breaker, heldFrom);
    }
}

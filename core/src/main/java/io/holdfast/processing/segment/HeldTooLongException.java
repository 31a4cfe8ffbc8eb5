package io.holdfast.processing.segment;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import java.time.Duration;

/** An event was HELD for too long. Its recovery gets this instead of a failure, because no handler was called. */
final class HeldTooLongException extends RetryableException {

    HeldTooLongException(ParkedSequence sequence, DeadLetter letter, Duration maxHold) {
        super(message(sequence, letter, maxHold));
    }

    private static String message(ParkedSequence sequence, DeadLetter letter, Duration maxHold) {
        Cause last = letter.cause();
        return "circuit breaker " + sequence.heldBy() + " has held "
                + letter.message().type() + " "
                + letter.message().id() + " for component " + sequence.id().component() + " for more than " + maxHold
                + (last == null ? "" : "; last failure: " + last.summary());
    }
}

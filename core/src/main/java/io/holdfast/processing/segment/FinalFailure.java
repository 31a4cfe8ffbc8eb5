package io.holdfast.processing.segment;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.parking.Verdict;

/**
 * The final failure of an event whose component has a recovery. It is recovered once: if the recovery fails, the event
 * becomes PENDING.
 *
 * @param attempts the number of attempts spent on the event
 */
record FinalFailure(Throwable cause, int attempts) {

    /**
     * Returns the verdict on an event whose recovery failed. The enqueue policy is not consulted, because it could drop
     * the event: an operator must see it.
     */
    Verdict verdict(Throwable recoveryFailure, DeadLetter stored) {
        return new Verdict(
                true,
                Cause.of(recoveryFailure).withSuppressed("before its recovery, its handler", cause),
                stored.diagnostics());
    }
}

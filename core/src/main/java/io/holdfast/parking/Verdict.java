package io.holdfast.parking;

import io.holdfast.UserFailures;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.EnqueueDecision;
import io.holdfast.deadletter.EnqueuePolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy's decision about a failure, in a form that can be stored.
 *
 * @param parked whether the event is parked or stays parked
 * @param cause the cause to store; null if the letter stays unchanged
 */
public record Verdict(boolean parked, @Nullable Cause cause, Map<String, String> diagnostics) {

    /** Consults a policy, which is user code: if it throws, the event is parked. */
    public static Verdict of(EnqueuePolicy policy, DeadLetter letter, Throwable failure) {
        try {
            EnqueueDecision decision = policy.decide(letter, failure);
            Cause cause = decision.cause().map(Cause::of).orElse(null);
            boolean isNew = letter.cause() == null; // then there is no previous cause to keep
            return new Verdict(
                    decision.shouldEnqueue(),
                    cause == null && isNew ? Cause.of(failure) : cause,
                    Map.copyOf(decision.diagnostics(letter)));
        } catch (Throwable e) {
            UserFailures.throwIfFatal(e);
            return new Verdict(true, Cause.of(failure).withSuppressed("its enqueue policy", e), letter.diagnostics());
        }
    }
}

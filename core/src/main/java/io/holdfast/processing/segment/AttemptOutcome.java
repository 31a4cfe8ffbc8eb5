package io.holdfast.processing.segment;

import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.resilience.breaker.RetryReports;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a unit makes of one attempt to handle an event, to be reported once the unit is durable. A unit may be built
 * several times; an attempt is reported once.
 *
 * @param earlier the number of failed attempts before this one
 * @param failure why the attempt failed; null if it succeeded
 * @param after the parked sequence after a failure; null if the event is not parked
 */
record AttemptOutcome(HandlerTask task, int earlier, @Nullable Throwable failure, @Nullable ParkedSequence after) {

    /** Returns the outcome of an event that is handled; empty if it was recovered and no attempt was spent. */
    static Optional<AttemptOutcome> handled(HandlerTask task, int earlier) {
        FinalFailure recovered = task.finalFailure();
        if (recovered == null) {
            return Optional.of(new AttemptOutcome(task, earlier, null, null));
        }
        return recovered.attempts() > earlier
                ? Optional.of(new AttemptOutcome(task, earlier, recovered.cause(), null))
                : Optional.empty();
    }

    static AttemptOutcome failed(HandlerTask task, int earlier, @Nullable ParkedSequence after) {
        FinalFailure recovered = task.finalFailure(); // whose recovery failed too, which is no attempt
        return new AttemptOutcome(task, earlier, recovered == null ? task.failure() : recovered.cause(), after);
    }

    /** Reports the attempt to the breaker and the retry of its component. */
    void report(ProcessorContext context) {
        Component component = task.component().component();
        RetryReports reports =
                context.handlers().breakers().retry(component.breaker().orElse(component.name()));
        if (failure == null) {
            task.guarded().committed();
            reports.succeeded(earlier);
        } else if (after == null || after.attempts() > earlier) { // otherwise HELD, and no attempt was spent
            report(failure, reports, context);
        }
    }

    private void report(Throwable cause, RetryReports reports, ProcessorContext context) {
        if (!NonRetryableException.isRetryable(cause)) {
            reports.notRetryable(cause);
        } else if (after != null && after.state() == SequenceState.RETRYING) {
            reports.retrying(earlier + 1, cause, Duration.between(context.now(), after.nextAttempt()));
        } else {
            reports.exhausted(earlier + 1, cause);
        }
    }
}

package io.holdfast.admin.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a saga as operators see it.
 *
 * @param name in a choreographed saga, the type of the forward event
 * @param service the service that performs the step
 * @param eventId the id of the event that reports that the step is done or has failed
 * @param completedAt when that event occurred
 * @param durationMs the time since the step before it, in milliseconds, if the step is done
 * @param attempts how often the step was attempted; null if the service that tracks the saga does not know
 * @param compensation what reverses the step; null if it needs no compensation
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SagaStepDetails(
        int stepNumber,
        String name,
        String service,
        StepStatus status,
        @Nullable UUID eventId,
        @Nullable Instant completedAt,
        @Nullable Long durationMs,
        @Nullable Integer attempts,
        @Nullable String failureReason,
        @Nullable Compensation compensation) {

    /**
     * What reverses a step.
     *
     * @param eventType the type of the compensating event, or of the withdrawal if the step was withdrawn
     * @param eventId the id of that event; null if the step is not compensated
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Compensation(String eventType, @Nullable UUID eventId, @Nullable Instant completedAt) {

        static @Nullable Compensation of(SagaStepRecord step) {
            if (step.compensation() == null) {
                return null;
            }
            SagaFact fact = first(step.undone(), step.withdrawn());
            return fact == null
                    ? new Compensation(step.compensation(), null, null)
                    : new Compensation(
                            Objects.requireNonNullElse(fact.eventType(), step.compensation()),
                            fact.eventId(),
                            fact.at());
        }
    }

    /** @param duration the time since the step before it; null if the step is not done */
    static SagaStepDetails of(SagaStepRecord step, @Nullable Duration duration) {
        SagaFact outcome = first(step.done(), step.failed());
        return new SagaStepDetails(
                step.stepNumber(),
                step.name(),
                step.service(),
                step.status(),
                outcome == null ? null : outcome.eventId(),
                outcome == null ? null : outcome.at(),
                duration == null ? null : duration.toMillis(),
                step.attempts() == 0 ? null : step.attempts(),
                step.failureReason(),
                Compensation.of(step));
    }

    private static @Nullable SagaFact first(@Nullable SagaFact one, @Nullable SagaFact other) {
        return Stream.of(one, other).filter(Objects::nonNull).findFirst().orElse(null);
    }
}

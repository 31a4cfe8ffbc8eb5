package io.holdfast.admin.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.saga.ExpectedEvent;
import io.holdfast.saga.SagaDeadline;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaStart;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaSuspension;
import io.holdfast.saga.SagaTransition;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A saga as operators see it.
 *
 * @param version increases with every change of the saga
 * @param service the service that tracks the saga
 * @param key the aggregate key of step 0; null for a placeholder
 * @param reason why the saga is compensated or timed out
 * @param attention why an operator must look at the saga
 * @param suspended why the deadline is suspended
 * @param expected what the saga awaits; empty once it has ended
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SagaDetails(
        String sagaId,
        String sagaType,
        SagaKind kind,
        SagaStatus status,
        long version,
        String service,
        @Nullable String key,
        @Nullable String correlationId,
        @Nullable Instant startedAt,
        @Nullable Instant deadline,
        @Nullable Instant timedOutAt,
        @Nullable Instant endedAt,
        @Nullable String reason,
        @Nullable String attention,
        @Nullable Suspended suspended,
        List<SagaStepDetails> steps,
        List<Expected> expected) {

    /**
     * A suspended deadline.
     *
     * @param letters what is parked, as its services named it
     */
    public record Suspended(Instant since, List<String> letters) {

        static Suspended of(SagaSuspension suspension) {
            return new Suspended(suspension.since(), suspension.letters());
        }
    }

    /**
     * An event that the saga awaits.
     *
     * @param service the service that is to append it
     * @param sinceMs for how long the saga has awaited it, in milliseconds
     * @param usualMs for how long sagas usually await it; null if too few have
     * @param overdue whether the saga has awaited it much longer than usual
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Expected(
            int stepNumber,
            String eventType,
            String service,
            long sinceMs,
            @Nullable UsualMs usualMs,
            boolean overdue) {

        static Expected of(ExpectedEvent event, SagaState saga, UsualDurations usual, Instant now) {
            long since = Duration.between(event.since(), now).toMillis();
            return new Expected(
                    event.stepNumber(),
                    event.eventType(),
                    event.service(),
                    Math.max(0, since),
                    usual.find(saga, event).map(UsualMs::of).orElse(null),
                    usual.isOverdue(saga, event, now));
        }
    }

    /** How long half of the sagas, and 99 % of them, await an event at most, in milliseconds. */
    public record UsualMs(long p50, long p99) {

        static UsualMs of(UsualDuration usual) {
            return new UsualMs(usual.p50().toMillis(), usual.p99().toMillis());
        }
    }

    static SagaDetails of(StoredSaga stored, UsualDurations usual, Instant now) {
        SagaState saga = stored.state();
        Optional<SagaStart> start = Optional.ofNullable(saga.start());
        Optional<SagaDeadline> deadline = Optional.ofNullable(saga.deadline());
        return new SagaDetails(
                saga.sagaId(),
                saga.sagaType(),
                saga.kind(),
                saga.status(),
                stored.version(),
                saga.service(),
                start.map(SagaStart::key).orElse(null),
                start.map(SagaStart::correlationId).orElse(null),
                start.map(SagaStart::at).orElse(null),
                deadline.map(SagaDeadline::at).orElse(null),
                Optional.ofNullable(saga.milestones().timedOut())
                        .map(SagaFact::at)
                        .orElse(null),
                saga.endedAt().orElse(null),
                saga.reason().isEmpty() ? null : saga.reason(),
                saga.attentionReason().orElse(null),
                deadline.map(SagaDeadline::suspended).map(Suspended::of).orElse(null),
                steps(saga),
                saga.expected().stream()
                        .map(event -> Expected.of(event, saga, usual, now))
                        .toList());
    }

    private static List<SagaStepDetails> steps(SagaState saga) {
        Map<String, Duration> durations = SagaTransition.between(null, saga).stepDurations();
        return saga.stepsInOrder().stream()
                .map(step -> SagaStepDetails.of(step, durations.get(step.name())))
                .toList();
    }
}

package io.holdfast.saga.statistics;

import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepExecution;
import io.holdfast.saga.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long a saga awaited the events that it has. A duration is known once the facts from which it follows are recorded,
 * in whatever order they arrive, and then it is not measured again. Pure.
 */
final class StepDurations {

    private StepDurations() {}

    /** What ended the wait for a step. */
    enum End {
        DONE,
        UNDONE,
        WITHDRAWN
    }

    /** @param step the name of the step */
    record Measured(String step, End end) {}

    /**
     * Returns what became known with a change.
     *
     * @param before the state before the change, or null if the row is new
     */
    static Map<Measured, Duration> between(@Nullable SagaState before, SagaState after) {
        Map<Measured, Duration> durations = of(after);
        if (before != null && !durations.isEmpty()) {
            durations.keySet().removeAll(of(before).keySet());
        }
        return durations;
    }

    private static Map<Measured, Duration> of(SagaState saga) {
        Map<Measured, Duration> durations = new LinkedHashMap<>();
        if (saga.start() != null) {
            addActions(saga, saga.start().at(), durations);
            saga.compensatingSince().ifPresent(cause -> addCompensations(saga, cause, durations));
        }
        return durations;
    }

    /** A saga awaits a step from the last progress on, but only when all earlier steps are settled. */
    private static void addActions(SagaState saga, Instant start, Map<Measured, Duration> durations) {
        Instant progress = start;
        for (SagaStepRecord step : saga.stepsInOrder()) {
            if (step.status() == StepStatus.PENDING) {
                return;
            }
            SagaFact done = step.done();
            if (done != null) {
                if (!startsTheSaga(step, saga)) {
                    durations.put(new Measured(step.name(), End.DONE), between(sentAt(step, progress), done.at()));
                }
                progress = later(progress, done.at());
            }
        }
    }

    private static void addCompensations(SagaState saga, Instant cause, Map<Measured, Duration> durations) {
        for (SagaStepRecord step : saga.stepsInOrder()) {
            SagaFact undone = step.undone();
            if (undone != null && !(startsTheSaga(step, saga) && undone.at().equals(cause))) {
                Instant since =
                        step.done() == null ? cause : later(cause, step.done().at());
                durations.put(new Measured(step.name(), End.UNDONE), between(undoSentAt(step, since), undone.at()));
            }
            SagaFact withdrawn = step.withdrawn();
            if (withdrawn != null) {
                durations.put(
                        new Measured(step.name(), End.WITHDRAWN), between(undoSentAt(step, cause), withdrawn.at()));
            }
        }
    }

    // An orchestrator awaits a step from when it has sent it, and undoes one step after the other.

    private static Instant sentAt(SagaStepRecord step, Instant otherwise) {
        StepExecution execution = step.execution();
        return execution == null || execution.sent() == null
                ? otherwise
                : execution.sent().at();
    }

    private static Instant undoSentAt(SagaStepRecord step, Instant otherwise) {
        StepExecution execution = step.execution();
        return execution == null || execution.undoSent() == null
                ? otherwise
                : execution.undoSent().at();
    }

    /** No saga awaits the event that starts it, nor the undo of that step if it is the cause for compensation. */
    private static boolean startsTheSaga(SagaStepRecord step, SagaState saga) {
        return step.stepNumber() == 0 && saga.kind() == SagaKind.CHOREOGRAPHED;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Clocks of services differ, so an effect can seem to precede its cause. */
    private static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}

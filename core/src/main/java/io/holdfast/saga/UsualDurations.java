package io.holdfast.saga;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How long sagas usually await each of their events. Immutable: a copy of statistics that change.
 *
 * @param byStep what is known; a step that was measured too rarely is absent
 */
public record UsualDurations(Map<Step, UsualDuration> byStep) {

    /** Nothing is known. */
    public static final UsualDurations NONE = new UsualDurations(Map.of());

    public UsualDurations {
        byStep = Map.copyOf(byStep);
    }

    /**
     * What was measured.
     *
     * @param name the name of the step
     * @param undone false for the action of the step; true for its compensation or withdrawal
     */
    public record Step(String sagaType, String name, boolean undone) {}

    /** Returns whether nothing is known about sagas of this type, so that none of them is overdue. */
    public boolean isEmpty(String sagaType) {
        return byStep.keySet().stream().noneMatch(step -> step.sagaType().equals(sagaType));
    }

    /** Returns how long sagas usually await an event; empty if too few have awaited it. */
    public Optional<UsualDuration> find(SagaState saga, ExpectedEvent event) {
        return saga.stepsInOrder().stream()
                .filter(step -> step.stepNumber() == event.stepNumber())
                .findFirst()
                .map(step -> byStep.get(new Step(saga.sagaType(), step.name(), awaitsUndo(saga, step))));
    }

    /** An orchestrator that compensates also awaits the end of a call, before it undoes it. */
    private static boolean awaitsUndo(SagaState saga, SagaStepRecord step) {
        StepExecution execution = step.execution();
        return saga.status() == SagaStatus.COMPENSATING && (execution == null || execution.undoSent() != null);
    }

    /** Returns whether a saga awaits an event much longer than usual. */
    public boolean isOverdue(SagaState saga, ExpectedEvent event, Instant now) {
        Duration waiting = Duration.between(event.since(), now);
        return saga.status().isActive()
                && find(saga, event)
                        .filter(usual -> usual.isExceededBy(waiting))
                        .isPresent();
    }

    /** Returns whether a saga awaits any event much longer than usual. */
    public boolean isOverdue(SagaState saga, Instant now) {
        return saga.expected().stream().anyMatch(event -> isOverdue(saga, event, now));
    }
}

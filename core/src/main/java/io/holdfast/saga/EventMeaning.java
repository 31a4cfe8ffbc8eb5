package io.holdfast.saga;

/** What an event type means in a saga: a fact about a step. Immutable. */
public final class EventMeaning {

    private final SagaStep step;
    private final StepFact fact;

    /**
     * @param step the step that the event belongs to
     * @param fact what the event reports about it
     */
    EventMeaning(SagaStep step, StepFact fact) {
        this.step = step;
        this.fact = fact;
    }

    SagaStep step() {
        return step;
    }

    StepFact fact() {
        return fact;
    }

    /** Returns whether the event reports that the step was done. */
    public boolean isDone() {
        return fact == StepFact.DONE;
    }

    /** Returns the {@code stepNumber} that the event carries in its metadata. */
    public int stepNumber() {
        return step.stepNumber();
    }

    /** Returns the {@code compensating} flag that the event carries in its metadata. */
    public boolean compensating() {
        return fact.isCompensating();
    }
}

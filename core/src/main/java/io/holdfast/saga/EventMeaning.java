package io.holdfast.saga;

/**
 * What an event type means in a saga: a fact about a step.
 *
 * @param step the step that the event belongs to
 * @param fact what the event reports about it
 */
public record EventMeaning(SagaStep step, StepFact fact) {

    /** Returns the {@code stepNumber} that the event carries in its metadata. */
    public int stepNumber() {
        return step.stepNumber();
    }

    /** Returns the {@code compensating} flag that the event carries in its metadata. */
    public boolean compensating() {
        return fact.isCompensating();
    }
}

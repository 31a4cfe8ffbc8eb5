package io.holdfast.saga.orchestration;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.saga.orchestration.StepDefinition.LocalAction;
import java.util.function.BiConsumer;

/**
 * A step that decides in this service.
 *
 * @param <D> the data of the saga
 */
public final class LocalStep<D> extends DeclaredStep<D> {

    LocalStep(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        super(definition, draft);
    }

    /** Declares the decision that reverses the step. It runs in a unit of its own; if it throws, it is parked. */
    public LocalStep<D> undo(BiConsumer<? super D, DecisionContext> decide) {
        draft.undo = new LocalAction<>(decide);
        return this;
    }

    /**
     * Parks the event that led to the step if it finally fails, instead of compensating. For steps after which the saga
     * must go forward.
     */
    public LocalStep<D> park() {
        draft.parks = true;
        return this;
    }
}

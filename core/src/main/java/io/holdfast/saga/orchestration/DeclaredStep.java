package io.holdfast.saga.orchestration;

/**
 * A step whose action is declared: continue with the next step, or build the definition.
 *
 * @param <D> the data of the saga
 */
public abstract sealed class DeclaredStep<D> permits LocalStep, CallStep, CommandStep, CommandUndo {

    final StepDraft<D> draft;
    private final SagaDefinitionBuilder<D> definition;

    DeclaredStep(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        this.definition = definition;
        this.draft = draft;
    }

    /** Adds the next step, see {@link SagaDefinitionBuilder#step}. */
    public SagaStepBuilder<D> step(String stepName) {
        return definition.step(stepName);
    }

    /** Keeps a step that new sagas no longer have, see {@link SagaDefinitionBuilder#retired}. */
    public SagaStepBuilder<D> retired(String stepName) {
        return definition.retired(stepName);
    }

    /**
     * Builds the definition.
     *
     * @throws io.holdfast.InvalidSettingsException naming every mistake
     */
    public SagaDefinition<D> build() {
        return definition.build();
    }

    final SagaDefinitionBuilder<D> definition() {
        return definition;
    }
}

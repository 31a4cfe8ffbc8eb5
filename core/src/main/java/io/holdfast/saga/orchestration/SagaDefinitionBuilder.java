package io.holdfast.saga.orchestration;

import io.holdfast.InvalidSettingsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link SagaDefinition}. Mistakes are reported together, by {@link DeclaredStep#build}. Not thread-safe.
 *
 * @param <D> the data of the saga
 */
public final class SagaDefinitionBuilder<D> {

    private final String name;
    private final Class<D> dataType;
    private final List<StepDraft<D>> drafts = new ArrayList<>();
    private @Nullable Duration timeout;
    private Function<? super D, String> key = data -> "";

    SagaDefinitionBuilder(String name, Class<D> dataType) {
        this.name = name;
        this.dataType = dataType;
    }

    /** Sets the time by which a saga must end. The property {@code saga.timeout.saga-types} overrides it. */
    public SagaDefinitionBuilder<D> timeout(Duration time) {
        this.timeout = time;
        return this;
    }

    /** Sets the business key of a saga, for example the id of its order, by which operators recognize it. */
    public SagaDefinitionBuilder<D> key(Function<? super D, String> keyOf) {
        this.key = keyOf;
        return this;
    }

    /**
     * Adds the next step.
     *
     * @param stepName unique within the definition, without a dot; it must not change while sagas run, see
     *     {@link SagaStepBuilder#formerly}
     */
    public SagaStepBuilder<D> step(String stepName) {
        StepDraft<D> draft = new StepDraft<>(stepName);
        drafts.add(draft);
        return new SagaStepBuilder<>(this, draft);
    }

    /**
     * Keeps a step that new sagas no longer have, as long as sagas run that started with it. Declare it at its former
     * place, with its former action and undo. Sagas that have not reached it skip it.
     */
    public SagaStepBuilder<D> retired(String stepName) {
        SagaStepBuilder<D> step = step(stepName);
        drafts.get(drafts.size() - 1).retired = true;
        return step;
    }

    /** @throws InvalidSettingsException naming every mistake */
    SagaDefinition<D> build() {
        SagaDefinition.requireNone(new DefinitionChecks<>(name, timeout, drafts).mistakes());
        List<StepDefinition<D>> steps = drafts.stream().map(StepDraft::step).toList();
        return new SagaDefinition<>(name, dataType, timeout, key, steps);
    }
}

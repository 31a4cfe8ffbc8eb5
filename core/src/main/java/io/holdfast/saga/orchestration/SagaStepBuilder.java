package io.holdfast.saga.orchestration;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import io.holdfast.saga.orchestration.StepDefinition.LocalAction;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Declares what a step does.
 *
 * @param <D> the data of the saga
 */
public final class SagaStepBuilder<D> {

    private final SagaDefinitionBuilder<D> definition;
    private final StepDraft<D> draft;

    SagaStepBuilder(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        this.definition = definition;
        this.draft = draft;
    }

    /** Skips the step unless this condition holds for the data at the time when the saga reaches it. A pure function. */
    public SagaStepBuilder<D> when(Predicate<? super D> condition) {
        draft.condition = condition;
        return this;
    }

    /**
     * Names the step as sagas know it that started before it was renamed. They keep this name, and their calls keep their
     * idempotency keys. After several changes, declare the oldest name first: positions and letters are stored under it.
     */
    public SagaStepBuilder<D> formerly(String formerName) {
        draft.formerNames.add(formerName);
        return this;
    }

    /**
     * Decides in this service, inside the commit that reaches the step: a pure decision, exactly once. It throws to refuse
     * the step. If the saga has just started and no other step came before, nothing is stored and the caller gets the
     * exception; otherwise the saga is compensated.
     */
    public LocalStep<D> local(BiConsumer<? super D, DecisionContext> decide) {
        draft.action = new LocalAction<>(decide);
        return new LocalStep<>(definition, draft);
    }

    /**
     * Calls another system, at least once: a call whose outcome is unknown is repeated with the same idempotency key. It
     * runs on a thread of its own and may block. It throws a {@link io.holdfast.NonRetryableException} to refuse the step;
     * any other exception is retried.
     */
    public <R> CallStep<D, R> call(SagaCall<? super D, ? extends R> call) {
        draft.action = new CallAction<>(call, true, (data, result) -> data);
        return new CallStep<>(definition, draft);
    }

    /** Calls another system without blocking a thread, see {@link #call}. */
    public <R> CallStep<D, R> callAsync(SagaCall<? super D, ? extends CompletionStage<? extends R>> call) {
        draft.action = new CallAction<>(call, false, (data, result) -> data);
        return new CallStep<>(definition, draft);
    }

    /**
     * Sends a command to another service, as an event of the stream {@code <service>.sagas} whose key is the saga's id. The
     * other service answers with an event that it appends while it handles the command.
     *
     * @param command returns the payload of the command; a pure function
     */
    public CommandStep<D> command(Function<? super D, ?> command) {
        draft.command = command;
        return new CommandStep<>(definition, draft);
    }
}

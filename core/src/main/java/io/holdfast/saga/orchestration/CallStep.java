package io.holdfast.saga.orchestration;

import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A step that calls another system.
 *
 * @param <D> the data of the saga
 * @param <R> the result of the call
 */
public final class CallStep<D, R> extends DeclaredStep<D> {

    CallStep(SagaDefinitionBuilder<D> definition, StepDraft<D> draft) {
        super(definition, draft);
    }

    /** Declares the data after the call; by default it stays the same. A pure function. */
    @SuppressWarnings("unchecked") // the call returns R
    public CallStep<D, R> then(BiFunction<? super D, ? super R, ? extends D> next) {
        if (draft.action instanceof CallAction<D> action) {
            BiFunction<D, @Nullable Object, D> then = (data, result) -> next.apply(data, (R) result);
            draft.action = new CallAction<>(action.call(), action.blocking(), then);
        }
        return this;
    }

    /**
     * Limits one attempt. After that, the outcome is unknown and the call is retried; the result of a late response is
     * ignored. A thread that is blocked in the call is never interrupted.
     */
    public CallStep<D, R> timeout(Duration time) {
        draft.timeout = time;
        return this;
    }

    /** Sets how often the call is attempted, the first time included. Configured retry settings override it. */
    public CallStep<D, R> retry(int maxAttempts) {
        draft.retry = draft.retry.maxAttempts(maxAttempts);
        return this;
    }

    /** Guards the call by the circuit breaker of this name. While it is open, the step waits and spends no attempt. */
    public CallStep<D, R> breaker(String name) {
        draft.breaker = name;
        return this;
    }

    /**
     * Parks the call if it finally fails, instead of compensating. An operator then replays it. For steps after which the
     * saga must go forward.
     */
    public CallStep<D, R> park() {
        draft.parks = true;
        return this;
    }

    /**
     * Declares the call that reverses the step. It must succeed if there is nothing to reverse: it also runs if the
     * outcome of the step is unknown. If it finally fails, it is parked, and its replay continues the compensation.
     */
    public CallStep<D, R> undo(SagaCall<? super D, ?> call) {
        draft.undo = new CallAction<>(call, true, (data, result) -> data);
        return this;
    }

    /** Declares the call that reverses the step, without blocking a thread, see {@link #undo}. */
    public CallStep<D, R> undoAsync(SagaCall<? super D, ? extends CompletionStage<?>> call) {
        draft.undo = new CallAction<>(call, false, (data, result) -> data);
        return this;
    }
}

package io.holdfast.saga.orchestration;

import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.aggregate.Decision;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.StepDefinition.CallAction;
import io.holdfast.saga.orchestration.StepDefinition.LocalAction;
import io.holdfast.saga.tracking.FailureReasons;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The components that run one definition: one for all replies, one for each call, and one for each undo that runs in this
 * service. A failure that is final fails the step instead of parking the event, except for an undo.
 */
final class OrchestrationComponents<D> {

    private final Orchestration<D> orchestration;
    private final SagaDefinition<D> definition;
    private final SagaStateStore sagas;
    private final SagaCalls<D> calls;

    OrchestrationComponents(Orchestration<D> orchestration, SagaStateStore sagas, CallThreads threads) {
        this.orchestration = orchestration;
        this.definition = orchestration.definition();
        this.sagas = sagas;
        this.calls = new SagaCalls<>(definition.name(), threads);
    }

    List<Component> build() {
        List<Component> components = new ArrayList<>();
        if (!definition.replies().eventTypes().isEmpty()) {
            components.add(replies());
        }
        for (StepDefinition<D> step : definition.steps()) {
            if (step.action() instanceof CallAction<D> action) {
                components.add(call(step, action));
            }
            if (step.undo() instanceof CallAction<D> undo) {
                components.add(undoByCall(step, undo));
            } else if (step.undo() instanceof LocalAction<D> undo) {
                components.add(undoLocally(step, undo));
            }
        }
        return components;
    }

    private Component replies() {
        Component.Builder builder = Component.named(definition.name())
                .sagaTypes(definition.name())
                .recoverWith((context, failure) -> context.decide(transition(context, run -> {
                    replyFailed(run, context.event(), failure);
                })));
        definition.replies().eventTypes().forEach(type -> builder.on(type, this::replied));
        return builder.build();
    }

    private void replied(Payload payload, EventContext context) {
        EventMessage event = context.event();
        context.decide(transition(context, run -> {
            definition
                    .replies()
                    .find(payload.type(), event, run.saga())
                    .ifPresent(meaning -> record(run, meaning, payload, event));
        }));
    }

    private void record(SagaRun<D> run, Replies.Meaning<D> meaning, Payload payload, EventMessage event) {
        run.answeredBy(meaning.step(), event);
        switch (meaning.outcome()) {
            case SUCCESS -> run.done(meaning.step(), fact(event, null), then(meaning.step(), payload));
            case REFUSAL -> run.failed(meaning.step(), fact(event, FailureReasons.find(payload)), false);
            case UNDONE -> run.answeredUndo(meaning.step(), fact(event, null));
        }
    }

    private UnaryOperator<D> then(StepDefinition<D> step, Payload payload) {
        StepDefinition.SentCommand<D> command = (StepDefinition.SentCommand<D>) step.action();
        StepDefinition.Reply<D, ?> reply = command.replies().get(payload.type());
        return reply == null ? UnaryOperator.identity() : data -> changed(reply, data, payload);
    }

    private <R> D changed(StepDefinition.Reply<D, R> reply, D data, Payload payload) {
        return reply.type() == null
                ? data
                : reply.then().apply(data, orchestration.codec().decode(payload, reply.type()));
    }

    private void replyFailed(SagaRun<D> run, EventMessage event, Throwable failure) {
        Payload payload = orchestration.codec().upcast(event.payload());
        Replies.Meaning<D> meaning = definition
                .replies()
                .find(payload.type(), event, run.saga())
                .filter(found -> found.outcome() == Replies.Outcome.SUCCESS)
                .orElseThrow(() -> unrecoverable(failure));
        followingFailed(run, meaning.step(), fact(event, null), failure);
    }

    /** Records a step whose outcome could not be committed because it, or a step behind it, failed in the decision. */
    private void followingFailed(SagaRun<D> run, StepDefinition<D> step, SagaFact done, Throwable failure) {
        if (!(failure instanceof StepFailure inDecision)) {
            throw unrecoverable(failure);
        }
        StepDefinition<D> failed = run.step(inDecision.step()).orElseThrow(() -> unrecoverable(failure));
        if (failed.parks()) {
            throw unrecoverable(failure);
        }
        SagaFact reason = SagaFact.decided(run.now(), FailureText.of(failure));
        if (failed.name().equals(step.name())) {
            run.failed(step, reason, true);
        } else {
            run.doneBefore(inDecision, step, done);
            run.failedLocally(failed, reason);
        }
    }

    /** The event is parked with the failure itself. */
    private static RuntimeException unrecoverable(Throwable failure) {
        return failure instanceof RuntimeException unchecked
                ? unchecked
                : new PermanentException(FailureText.of(failure), failure);
    }

    private Component call(StepDefinition<D> step, CallAction<D> action) {
        Component.Builder builder = named(step, "")
                .callsOutside()
                .retry(step.retry())
                .recoverWith((context, failure) -> context.decide(transition(context, run -> {
                    callFailed(run, step, context, failure);
                })));
        if (step.breaker() != null) {
            builder.guardedBy(step.breaker());
        }
        for (String name : step.names()) {
            builder.onAsync(definition.trigger(name), (payload, context) -> call(step, action, payload, context));
        }
        return builder.build();
    }

    private CompletionStage<?> call(
            StepDefinition<D> step, CallAction<D> action, Payload trigger, EventContext context) {
        SagaState saga = find(context);
        if (saga == null || !isAwaited(step, saga, context.deadLetter().isPresent())) {
            return CompletableFuture.completedFuture(null);
        }
        if (saga.status() == SagaStatus.COMPENSATING) {
            context.decide(transition(context, run -> {
                run.failed(step, SagaFact.decided(run.now(), "not called, because the saga is compensating"), true);
            }));
            return CompletableFuture.completedFuture(null);
        }
        String sagaId = saga.sagaId();
        return calls.call(action, orchestration.dataOf(trigger, sagaId), sagaId, nameIn(saga, step), step.timeout())
                .thenAccept(result -> context.decide(transition(context, run -> {
                    run.done(step, called(run, step, context), data -> action.then()
                            .apply(data, result));
                })));
    }

    /** Returns the name under which the saga knows a step. It stays the same if the step is renamed between two attempts. */
    private static String nameIn(SagaState saga, StepDefinition<?> step) {
        return saga.findStep(step.names()).map(SagaStepRecord::name).orElse(step.name());
    }

    /** @throws PermanentException if an operator replays the call of a saga that has ended */
    private static boolean isAwaited(StepDefinition<?> step, SagaState saga, boolean isReplay) {
        boolean isAwaited =
                saga.findStep(step.names()).filter(SagaStepRecord::isInProgress).isPresent();
        return isAwaited && !refusesBecauseEnded(step, saga, isReplay);
    }

    private static boolean refusesBecauseEnded(StepDefinition<?> step, SagaState saga, boolean isReplay) {
        if (saga.status().isFinal() && isReplay) {
            throw new PermanentException("saga " + saga.sagaId() + " has ended as " + saga.status() + "; step "
                    + step.name() + " no longer runs. Discard the letter");
        }
        return saga.status().isFinal();
    }

    private void callFailed(SagaRun<D> run, StepDefinition<D> step, EventContext context, Throwable failure) {
        boolean isInDecision =
                failure instanceof StepFailure inDecision && !step.names().contains(inDecision.step());
        if (isInDecision) {
            followingFailed(run, step, called(run, step, context), failure);
        } else if (step.parks()) {
            throw unrecoverable(failure);
        } else {
            SagaFact reason = SagaFact.decided(run.now(), FailureText.of(failure));
            run.failed(step, reason, NonRetryableException.isRetryable(failure));
        }
    }

    private Component undoLocally(StepDefinition<D> step, LocalAction<D> undo) {
        Component.Builder builder = named(step, StepDefinition.UNDO_SUFFIX);
        for (String name : step.names()) {
            builder.on(definition.undoTrigger(name), (payload, context) -> {
                boolean isReplay = context.deadLetter().isPresent();
                context.decide(transition(context, run -> {
                    if (isUndoAwaited(step, run.saga(), isReplay)) {
                        run.undoLocally(step, undo);
                    }
                }));
            });
        }
        return builder.build();
    }

    private Component undoByCall(StepDefinition<D> step, CallAction<D> undo) {
        Component.Builder builder =
                named(step, StepDefinition.UNDO_SUFFIX).callsOutside().retry(step.retry());
        if (step.breaker() != null) {
            builder.guardedBy(step.breaker());
        }
        for (String name : step.names()) {
            builder.onAsync(
                    definition.undoTrigger(name), (payload, context) -> undoByCall(step, undo, payload, context));
        }
        return builder.build();
    }

    private CompletionStage<?> undoByCall(
            StepDefinition<D> step, CallAction<D> undo, Payload trigger, EventContext context) {
        SagaState saga = find(context);
        if (saga == null || !isUndoAwaited(step, saga, context.deadLetter().isPresent())) {
            return CompletableFuture.completedFuture(null);
        }
        String sagaId = saga.sagaId();
        String name = nameIn(saga, step) + StepDefinition.UNDO_SUFFIX;
        return calls.call(undo, orchestration.dataOf(trigger, sagaId), sagaId, name, step.timeout())
                .thenAccept(unused -> context.decide(transition(context, run -> {
                    run.undone(step, SagaFact.decided(run.now(), null));
                })));
    }

    /** @throws PermanentException if an operator replays the undo of a saga that has ended */
    private static boolean isUndoAwaited(StepDefinition<?> step, SagaState saga, boolean isReplay) {
        boolean isAwaited = saga.findStep(step.names())
                .filter(record -> !record.isAnswered())
                .isPresent();
        return isAwaited && !refusesBecauseEnded(step, saga, isReplay);
    }

    private Component.Builder named(StepDefinition<D> step, String suffix) {
        Component.Builder builder =
                Component.named(definition.trigger(step.name()) + suffix).sagaTypes(definition.name());
        step.formerNames().stream()
                .findFirst()
                .ifPresent(first -> builder.formerly(definition.trigger(first) + suffix));
        return builder;
    }

    private @Nullable SagaState find(EventContext context) {
        return sagas.find(sagaId(context))
                .map(StoredSaga::state)
                .filter(orchestration::isOwn)
                .orElse(null);
    }

    private Decision transition(EventContext context, Consumer<SagaRun<D>> change) {
        return orchestration.transition(sagaId(context), change);
    }

    private static String sagaId(EventContext context) {
        return context.event().metadata().sagaId().orElse("");
    }

    private SagaFact called(SagaRun<D> run, StepDefinition<D> step, EventContext context) {
        return new SagaFact(step.name(), context.event().id(), run.now(), null);
    }

    private static SagaFact fact(EventMessage event, @Nullable String reason) {
        return new SagaFact(event.type(), event.id(), event.occurredAt(), reason);
    }
}

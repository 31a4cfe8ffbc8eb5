package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.action.Settlement;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.saga.Choreographies;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.StoredSaga;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What operators decide about sagas: each is one decision over the saga's row. An action names the version of the row that
 * the operator has seen; if the saga has changed since, it is rejected and nothing happens. Thread-safe.
 */
public final class SagaActions {

    private final EventSourcingController commands;
    private final SagaOrchestrations orchestrations;
    private final Choreographies choreographies;
    private final SagaStateStore sagas;
    private final View<SagaState> view;

    public SagaActions(
            EventSourcingController commands,
            SagaOrchestrations orchestrations,
            Choreographies choreographies,
            SagaSettings settings,
            SagaStateStore sagas) {
        this.commands = commands;
        this.orchestrations = orchestrations;
        this.choreographies = choreographies;
        this.sagas = sagas;
        this.view = SagaView.of(settings);
    }

    /**
     * Compensates a saga that is running or has timed out. The future fails with a {@link PermanentException} if the action is
     * rejected.
     *
     * @param version of the row that the operator has seen, see {@link StoredSaga#version}
     */
    public CompletableFuture<Void> compensate(Command command, String sagaId, long version, String reason) {
        return compensate(command, sagaId, version, reason, null);
    }

    /** As {@link #compensate(Command, String, long, String)}. Commits the settlement together with the decision. */
    public CompletableFuture<Void> compensate(
            Command command, String sagaId, long version, String reason, @Nullable Settlement settlement) {
        return submit(command, sagaId, version, settlement, (saga, context) -> {
            require(
                    saga.status().isOpen() || saga.status() == SagaStatus.TIMED_OUT,
                    saga,
                    "only a running saga can be compensated");
            if (saga.kind() == SagaKind.ORCHESTRATED) {
                run(saga, context, run -> run.compensate(reason));
            } else {
                cancel(saga.cancelRequested(context.now(), reason), context);
            }
        });
    }

    private void cancel(SagaState saga, DecisionContext context) {
        context.put(view, saga.sagaId(), saga);
        choreographies
                .find(saga.sagaType())
                .flatMap(type -> type.findCancellation())
                .orElseThrow(() ->
                        new PermanentException("saga type " + saga.sagaType() + " has no local compensation here"))
                .cancel(saga, context);
    }

    /** Ends a compensation as FAILED. What is not undone stays, and no late outcome changes the status. */
    public CompletableFuture<Void> giveUp(Command command, String sagaId, long version, String reason) {
        return giveUp(command, sagaId, version, reason, null);
    }

    /** As {@link #giveUp(Command, String, long, String)}. Commits the settlement together with the decision. */
    public CompletableFuture<Void> giveUp(
            Command command, String sagaId, long version, String reason, @Nullable Settlement settlement) {
        return submit(command, sagaId, version, settlement, (saga, context) -> {
            require(saga.status() == SagaStatus.COMPENSATING, saga, "only a compensation can be given up");
            context.put(view, sagaId, saga.gaveUp(context.now(), reason));
        });
    }

    /**
     * Leaves out what the saga waits for: the step in progress, or while it compensates the undo of a step. The saga continues
     * as if it had been skipped by its condition.
     */
    public CompletableFuture<Void> skip(Command command, String sagaId, long version, String stepName, String reason) {
        return skip(command, sagaId, version, stepName, reason, null);
    }

    /** As {@link #skip(Command, String, long, String, String)}. Commits the settlement together with the decision. */
    public CompletableFuture<Void> skip(
            Command command,
            String sagaId,
            long version,
            String stepName,
            String reason,
            @Nullable Settlement settlement) {
        return submit(command, sagaId, version, settlement, (saga, context) -> {
            require(
                    saga.status().isOpen() || saga.status() == SagaStatus.COMPENSATING,
                    saga,
                    "only a step of a running saga can be skipped");
            if (saga.kind() == SagaKind.CHOREOGRAPHED) {
                require(saga.steps().containsKey(stepName), saga, "it has no step " + stepName);
                context.put(view, sagaId, saga.skipped(stepName, context.now(), reason));
            } else {
                run(saga, context, run -> skip(run, stepName, reason));
            }
        });
    }

    private static <D> void skip(SagaRun<D> run, String stepName, String reason) {
        StepDefinition<D> step =
                run.step(stepName).orElseThrow(() -> rejected(run.saga(), "it has no step " + stepName));
        boolean isAwaited = run.saga().expected().stream()
                .anyMatch(expected ->
                        expected.stepNumber() == run.requireRecord(step).stepNumber());
        require(isAwaited, run.saga(), "it does not wait for step " + stepName);
        run.skip(step, reason);
    }

    /** Sends the command or trigger of the step in progress, or of its undo, again. The idempotency key stays the same. */
    public CompletableFuture<Void> retry(Command command, String sagaId, long version) {
        return retry(command, sagaId, version, null);
    }

    /** As {@link #retry(Command, String, long)}. Commits the settlement together with the decision. */
    public CompletableFuture<Void> retry(
            Command command, String sagaId, long version, @Nullable Settlement settlement) {
        return submit(command, sagaId, version, settlement, (saga, context) -> {
            require(saga.kind() == SagaKind.ORCHESTRATED, saga, "replay its letters instead");
            run(saga, context, run -> require(run.repeat(), saga, "it does not wait for a step"));
        });
    }

    private void run(SagaState saga, DecisionContext context, Consumer<SagaRun<?>> change) {
        Orchestration<?> orchestration = orchestrations
                .find(saga.sagaType())
                .orElseThrow(() -> rejected(saga, "this service does not run its definition"));
        SagaRun<?> run = orchestration.run(context, saga);
        change.accept(run);
        run.store();
    }

    private CompletableFuture<Void> submit(
            Command command,
            String sagaId,
            long version,
            @Nullable Settlement settlement,
            BiConsumer<SagaState, DecisionContext> action) {
        StoredSaga seen = sagas.find(sagaId)
                .orElseThrow(() -> new PermanentException("there is no saga " + sagaId + " in this service"));
        if (seen.version() != version) {
            throw outdated(sagaId);
        }
        return commands.submit(command, decision(sagaId, seen.state(), action), settlement)
                .thenApply(result -> null);
    }

    private Decision decision(String sagaId, SagaState seen, BiConsumer<SagaState, DecisionContext> action) {
        return new Decision() {
            @Override
            public void decide(DecisionContext context) {
                @Nullable SagaState newest = context.row(view, sagaId);
                if (!seen.equals(newest)) {
                    throw outdated(sagaId);
                }
                action.accept(newest, context);
            }

            @Override
            public Collection<RowKey> rows() {
                return List.of(new RowKey(SagaView.NAME, sagaId));
            }
        };
    }

    private static PermanentException outdated(String sagaId) {
        return new PermanentException("saga " + sagaId + " has changed since it was read; look at it again");
    }

    private static void require(boolean condition, SagaState saga, String otherwise) {
        if (!condition) {
            throw rejected(saga, otherwise);
        }
    }

    private static PermanentException rejected(SagaState saga, String why) {
        return new PermanentException("saga " + saga.sagaId() + " is " + saga.status() + ": " + why);
    }
}

package io.holdfast.admin.operation;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationItem;
import io.holdfast.action.StagedOperation;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.orchestration.SagaActions;
import io.holdfast.service.HoldfastService;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Checks and runs what operators decide about sagas, at the service that tracks them. Thread-safe. */
public final class SagaOperationHandler implements ActionHandler {

    private static final Set<Kind> KINDS =
            EnumSet.of(Kind.RETRY_STEP, Kind.SKIP_STEP, Kind.COMPENSATE_SAGA, Kind.GIVE_UP_SAGA);

    private final HoldfastService service;

    private SagaOperationHandler(HoldfastService service) {
        this.service = service;
    }

    /** Creates the handler, and lets this replica run the operations. */
    public static SagaOperationHandler of(HoldfastService service) {
        SagaOperationHandler handler = new SagaOperationHandler(service);
        KINDS.forEach(kind -> service.handleOperations(kind, handler::run));
        return handler;
    }

    @Override
    public boolean handles(Kind kind) {
        return KINDS.contains(kind);
    }

    /** The decision names the version of the saga that was checked: a saga that changes in between is not touched. */
    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        String sagaId = Part.SAGA.name(request.target());
        StoredSaga saga =
                service.sagaStates().find(sagaId).orElseThrow(() -> SystemProblems.unknownSaga(sagaId, List.of()));
        Options options = new Options(request.options());
        long seen = options.number(Fields.VERSION).orElse(saga.version());
        if (seen != saga.version()) {
            throw changed(sagaId, seen, saga.version());
        }
        if (request.kind() == Kind.SKIP_STEP) {
            options.requireText(Fields.STEP);
        }
        Map<String, String> checked = new TreeMap<>(request.options());
        checked.put(Fields.VERSION, Long.toString(seen));
        return CompletableFuture.completedFuture(
                request.withOptions(checked).withItems(List.of(new OperationItem("saga", sagaId))));
    }

    private static OperatorProblem changed(String sagaId, long seen, long current) {
        return OperatorProblem.of(
                409,
                "saga-changed",
                "Saga has changed",
                "saga " + sagaId + " has version " + current + ", but the request is about version " + seen,
                "Look at the saga again, then repeat the request with its version");
    }

    private CompletableFuture<OperationEffect> run(StagedOperation operation) {
        SagaActions actions = service.sagaActions();
        String saga = operation.item().name();
        Options options = new Options(operation.options());
        long version = options.number(Fields.VERSION).orElseThrow(() -> Options.invalid("version is required"));
        Command command = Command.keyed("action", operation.action());
        CompletableFuture<Void> decided =
                switch (operation.kind()) {
                    case RETRY_STEP -> actions.retry(command, saga, version, operation.settlement());
                    case SKIP_STEP ->
                        actions.skip(
                                command,
                                saga,
                                version,
                                options.requireText(Fields.STEP),
                                reason(operation),
                                operation.settlement());
                    case COMPENSATE_SAGA ->
                        actions.compensate(command, saga, version, reason(operation), operation.settlement());
                    default -> actions.giveUp(command, saga, version, reason(operation), operation.settlement());
                };
        return decided.thenApply(done -> OperationEffect.settled());
    }

    private static String reason(StagedOperation operation) {
        return Objects.requireNonNullElse(
                operation.requester().reason(),
                "requested by " + operation.requester().operator());
    }
}

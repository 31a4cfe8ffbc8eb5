package io.holdfast.admin.operation;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.OperationItem;
import io.holdfast.action.StagedOperation;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.outbox.OutboxStatus;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the publisher of the outbox try again at once. It runs at the replica that publishes; it may run
 * twice. Thread-safe.
 */
public final class OutboxOperations implements ActionHandler {

    /** The publisher retries every few seconds anyway. */
    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

    private final HoldfastService service;

    private OutboxOperations(HoldfastService service) {
        this.service = service;
    }

    /** Creates the handler, and lets this replica run the operation. */
    public static OutboxOperations of(HoldfastService service) {
        OutboxOperations operations = new OutboxOperations(service);
        service.handleOperations(Kind.RETRY_OUTBOX, operations.new AtPublisher());
        return operations;
    }

    @Override
    public boolean handles(Kind kind) {
        return kind == Kind.RETRY_OUTBOX;
    }

    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        return CompletableFuture.completedFuture(
                request.withTimeToLive(TIME_TO_LIVE).withItems(List.of(new OperationItem("outbox", service.name()))));
    }

    private final class AtPublisher implements OperationHandler {

        @Override
        public CompletableFuture<OperationEffect> run(StagedOperation operation) {
            return service.publisher().retry().thenApply(OutboxOperations::effect);
        }

        @Override
        public Place place(StagedOperation operation) {
            return service.publisher().status().publishing() ? Place.HERE : Place.ELSEWHERE;
        }
    }

    private static OperationEffect effect(OutboxStatus status) {
        if (status.problem() != null) {
            throw new PermanentException("publishing failed again: " + status.problem());
        }
        if (status.position() == null) {
            throw new RetryableException("another replica has become the publisher");
        }
        return OperationEffect.unsettled(
                "published up to position " + status.position().position());
    }
}

package io.holdfast.admin.operation;

import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.ActionOwner;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.admin.saga.SagaEndings;
import io.holdfast.admin.stream.StreamListing;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.wire.KnownService;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running replica of a service, from which operators operate the system. */
final class OperationReplica implements AutoCloseable {

    private static final long GENEROUS_SECONDS = 30;

    final HoldfastService service;
    final SystemOperations operations;
    final Receipts receipts;
    private final ServiceGateway gateway;
    private final ActionOwner owner;

    OperationReplica(HoldfastServiceBuilder builder) {
        this.service = builder.build();
        OwnerEndpoints endpoints = new OwnerEndpoints(service.operations());
        this.gateway = new ServiceGateway(service, endpoints, Clock.systemUTC(), () -> service.knownServices().stream()
                .map(KnownService::name)
                .toList());
        this.receipts = new Receipts(gateway);
        BreakerListing breakers = new BreakerListing(service, gateway);
        StreamListing streams = new StreamListing(service, gateway);
        SagaEndings sagas = new SagaEndings(gateway, service.sagaStates());
        this.owner = new ActionOwner(
                service,
                gateway,
                List.of(
                        ProcessorOperations.of(service),
                        SagaOperationHandler.of(service),
                        GroupOperations.of(service),
                        OutboxOperations.of(service),
                        BreakerOperations.of(service, breakers)),
                false);
        this.operations = new SystemOperations(gateway, new ActionGateway(gateway), receipts, sagas, streams);
        Stream.<EndpointRegistrar>of(breakers, streams, sagas, owner).forEach(each -> each.register(endpoints));
        service.start();
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    Operator operator(Role role) {
        return new Operator("ana", role, new Operator.Via(service.name(), service.replica(), null));
    }

    static Submission submission(String id, SystemOperation operation, String name, Map<String, String> options) {
        return new Submission(
                id, operation.kind().name(), operation.part().target(name), options, "maintenance, OPS-7", false);
    }

    static Submission forced(SystemOperation operation, String name) {
        return new Submission(
                newId(), operation.kind().name(), operation.part().target(name), Map.of(), "maintenance, OPS-7", true);
    }

    /** Submits an operation as an admin, and waits for the response. */
    ReceiptDetails submit(String owner, SystemOperation operation, String name, Map<String, String> options) {
        return get(operations.submit(owner, submission(newId(), operation, name, options), operator(Role.ADMIN)));
    }

    OperatorProblem.Problem refused(
            String owner, SystemOperation operation, String name, Map<String, String> options, Role role) {
        return problem(operations.submit(owner, submission(newId(), operation, name, options), operator(role)));
    }

    static <T> T get(CompletableFuture<T> answer) {
        return answer.orTimeout(GENEROUS_SECONDS, TimeUnit.SECONDS).join();
    }

    static OperatorProblem.Problem problem(CompletableFuture<?> refused) {
        try {
            get(refused);
        } catch (CompletionException e) {
            if (e.getCause() instanceof OperatorProblem problem) {
                return problem.problem();
            }
            throw e;
        }
        throw new AssertionError("the request was not refused");
    }

    @Override
    public void close() {
        owner.close();
        gateway.close();
        service.close();
    }
}

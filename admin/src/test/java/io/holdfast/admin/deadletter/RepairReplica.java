package io.holdfast.admin.deadletter;

import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.ActionOwner;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.wire.KnownService;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running replica of a service, from which operators repair letters. */
final class RepairReplica implements AutoCloseable {

    private static final long GENEROUS_SECONDS = 30;
    private static final int MAX_REPLAYS = 3;

    final HoldfastService service;
    final DeadLetters letters;
    final Receipts receipts;
    private final ServiceGateway gateway;
    private final ActionOwner owner;

    RepairReplica(HoldfastServiceBuilder builder) {
        this.service = builder.build();
        OwnerEndpoints endpoints = new OwnerEndpoints(service.operations());
        this.gateway = new ServiceGateway(service, endpoints, Clock.systemUTC(), () -> service.knownServices().stream()
                .map(KnownService::name)
                .toList());
        this.letters = new DeadLetters(gateway, new ActionGateway(gateway));
        this.receipts = new Receipts(gateway);
        LetterActionHandler handler = new LetterActionHandler(
                service,
                (saga, operator) ->
                        CompletableFuture.completedFuture(new LetterActionHandler.SagaEnding(Optional.empty(), true)),
                MAX_REPLAYS);
        this.owner = new ActionOwner(service, gateway, List.of(handler), false);
        Stream.<EndpointRegistrar>of(new DeadLetterOwner(service), owner)
                .forEach(registrar -> registrar.register(endpoints));
        service.start();
    }

    Operator operator(String name) {
        return new Operator(name, Role.OPERATOR, new Operator.Via(service.name(), service.replica(), null));
    }

    /** Submits an action and waits for the response. */
    ReceiptDetails submit(String action, String kind, String entry) {
        return get(submitAsync(action, kind, entry));
    }

    CompletableFuture<ReceiptDetails> submitAsync(String action, String kind, String entry) {
        return letters.submit(new Submission(action, kind, entry), operator("ana"));
    }

    List<DeadLetterEntry> parked() {
        return get(letters.find(DeadLetterQuery.NEWEST, operator("ana"))).entries();
    }

    ReceiptDetails receipt(String action) {
        return get(receipts.find(action, 0, operator("ana"))).receipt();
    }

    static <T> T get(CompletableFuture<T> answer) {
        return answer.orTimeout(GENEROUS_SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        owner.close();
        gateway.close();
        service.close();
    }
}

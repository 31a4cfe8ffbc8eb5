package io.holdfast.admin.outbox;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.GatheredReplicas;
import io.holdfast.admin.gateway.GatheredReplicas.ReplicaAnswer;
import io.holdfast.admin.gateway.ListRequest;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.outbox.OutboxStatus;
import io.holdfast.service.HoldfastService;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the outboxes of all services. Each replica answers from memory. Thread-safe. */
public final class OutboxListing implements EndpointRegistrar {

    private static final Endpoint<ListRequest, State> ENDPOINT =
            new Endpoint<>("outbox.list", ListRequest.class, State.class);

    private final HoldfastService service;
    private final ServiceGateway gateway;

    public OutboxListing(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    /** What a replica knows of the outbox. */
    record State(
            boolean publishing,
            @Nullable Long position,
            long pending,
            @Nullable Instant oldest,
            long failed,
            @Nullable String problem) {

        static State of(OutboxStatus status) {
            return new State(
                    status.publishing(),
                    status.position() == null ? null : status.position().position(),
                    status.pending(),
                    status.oldest(),
                    status.failed(),
                    status.problem());
        }
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(
                ENDPOINT, (operator, question) -> State.of(service.publisher().status()));
    }

    /** Returns the outboxes of the selected services, ordered by service. */
    public CompletableFuture<GatheredList<OutboxDetails>> list(Operator operator, Predicate<String> selected) {
        return gateway.gatherReplicas(ENDPOINT, operator, new ListRequest(), selected)
                .thenApply(gathered -> new GatheredList<>(merge(gathered), gathered.incomplete()));
    }

    private static List<OutboxDetails> merge(GatheredReplicas<State> gathered) {
        return gathered.answers().stream()
                .collect(Collectors.groupingBy(ReplicaAnswer::service, TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(replicas -> OutboxDetails.of(replicas.getKey(), replicas.getValue()))
                .toList();
    }
}

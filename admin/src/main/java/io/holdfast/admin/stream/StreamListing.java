package io.holdfast.admin.stream;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.ListRequest;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Lists the streams of all services, and their consumer groups. Thread-safe. */
public final class StreamListing implements EndpointRegistrar {

    private static final Endpoint<ListRequest, Streams> STREAMS =
            new Endpoint<>("streams.list", ListRequest.class, Streams.class);
    private static final Endpoint<ListRequest, Groups> GROUPS =
            new Endpoint<>("groups.list", ListRequest.class, Groups.class);

    private final HoldfastService service;
    private final ServiceGateway gateway;

    public StreamListing(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    private record Streams(List<StreamDetails> streams) {}

    private record Groups(List<GroupDetails> groups) {}

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(
                STREAMS,
                (operator, question) -> new Streams(StreamSnapshot.of(service).streams()));
        endpoints.serve(
                GROUPS,
                (operator, question) -> new Groups(StreamSnapshot.of(service).groups()));
    }

    /** Returns the streams of the selected services, ordered by service and name. */
    public CompletableFuture<GatheredList<StreamDetails>> streams(Operator operator, Predicate<String> selected) {
        return gateway.gather(STREAMS, operator, new ListRequest(), selected)
                .thenApply(gathered -> GatheredList.of(gathered, (owner, answer) -> answer.streams()));
    }

    /** Returns the consumer groups at the selected sources, ordered by source, name and stream. */
    public CompletableFuture<GatheredList<GroupDetails>> groups(Operator operator, Predicate<String> selected) {
        return gateway.gather(GROUPS, operator, new ListRequest(), selected)
                .thenApply(gathered -> GatheredList.of(gathered, (owner, answer) -> answer.groups()));
    }
}

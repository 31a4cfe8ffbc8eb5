package io.holdfast.admin.processor;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.GatheredReplicas;
import io.holdfast.admin.gateway.ListRequest;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.service.HoldfastService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Lists the processors of all services. Each replica answers from memory, so the list is complete while databases are
 * down. Thread-safe.
 */
public final class ProcessorListing implements EndpointRegistrar {

    private static final Endpoint<ListRequest, ProcessorState.Answer> ENDPOINT =
            new Endpoint<>("processors.list", ListRequest.class, ProcessorState.Answer.class);

    private final HoldfastService service;
    private final ServiceGateway gateway;

    public ProcessorListing(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(ENDPOINT, (operator, question) -> answer());
    }

    private ProcessorState.Answer answer() {
        return new ProcessorState.Answer(service.processors().entrySet().stream()
                .map(entry -> ProcessorState.of(entry.getKey(), entry.getValue()))
                .toList());
    }

    /** Returns the processors of the selected services, ordered by service and name. */
    public CompletableFuture<GatheredList<ProcessorDetails>> list(Operator operator, Predicate<String> selected) {
        return gateway.gatherReplicas(ENDPOINT, operator, new ListRequest(), selected)
                .thenApply(gathered -> new GatheredList<>(merge(gathered), gathered.incomplete()));
    }

    /** Groups by service, processor and replica. */
    private static List<ProcessorDetails> merge(GatheredReplicas<ProcessorState.Answer> gathered) {
        Map<String, Map<String, Map<String, ProcessorState>>> states = new TreeMap<>();
        gathered.answers().forEach(replica -> replica.answer().processors().forEach(state -> states.computeIfAbsent(
                        replica.service(), service -> new TreeMap<>())
                .computeIfAbsent(state.name(), name -> new TreeMap<>())
                .put(replica.replica(), state)));
        List<ProcessorDetails> merged = new ArrayList<>();
        states.forEach((service, processors) ->
                processors.forEach((name, replicas) -> merged.add(ProcessorDetails.of(service, name, replicas))));
        return merged;
    }
}

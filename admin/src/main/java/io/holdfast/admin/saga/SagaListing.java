package io.holdfast.admin.saga;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Lists the sagas that any service tracks or runs. Thread-safe. */
public final class SagaListing implements EndpointRegistrar {

    private static final Endpoint<SagaQuery, FoundSagas> ENDPOINT =
            new Endpoint<>("sagas.list", SagaQuery.class, FoundSagas.class);

    private final SagaOperations operations;
    private final ServiceGateway gateway;

    public SagaListing(SagaOperations operations, ServiceGateway gateway) {
        this.operations = operations;
        this.gateway = gateway;
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(ENDPOINT, (operator, query) -> search(query));
    }

    private FoundSagas search(SagaQuery query) {
        try {
            return operations.search(query);
        } catch (UnknownSagaTypeException e) {
            return FoundSagas.NOT_TRACKED;
        }
    }

    /** Returns one page of the sagas of the selected services, newest first. */
    public CompletableFuture<MergedSagas> list(Operator operator, SagaQuery query, Predicate<String> selected) {
        return gateway.gather(ENDPOINT, operator, query, selected)
                .thenApply(gathered -> MergedSagas.of(gathered, query.limit()));
    }
}

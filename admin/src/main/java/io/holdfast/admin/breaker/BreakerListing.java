package io.holdfast.admin.breaker;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.ListRequest;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.service.HoldfastService;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lists the circuit breakers of all replicas. Thread-safe. */
public final class BreakerListing implements EndpointRegistrar {

    private static final Endpoint<ListRequest, Answer> ENDPOINT =
            new Endpoint<>("breakers.list", ListRequest.class, Answer.class);

    private final HoldfastService service;
    private final ServiceGateway gateway;

    public BreakerListing(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    private record Answer(List<BreakerDetails> breakers) {}

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(ENDPOINT, (operator, question) -> answer());
    }

    private Answer answer() {
        return new Answer(service.resilience().circuitBreakers().getAllCircuitBreakers().stream()
                .sorted(Comparator.comparing(CircuitBreaker::getName))
                .map(this::describe)
                .toList());
    }

    private BreakerDetails describe(CircuitBreaker breaker) {
        CircuitBreaker.Metrics metrics = breaker.getMetrics();
        return new BreakerDetails(
                service.name(),
                service.replica(),
                breaker.getName(),
                breaker.getState().name(),
                rate(metrics.getFailureRate()),
                rate(metrics.getSlowCallRate()),
                metrics.getNumberOfBufferedCalls(),
                metrics.getNumberOfFailedCalls(),
                metrics.getNumberOfNotPermittedCalls());
    }

    /** Resilience4j returns -1 for an unknown rate. */
    private static @Nullable Float rate(float percent) {
        return percent < 0 ? null : percent;
    }

    /** Returns the breakers of the selected services, ordered by service, replica and name. */
    public CompletableFuture<GatheredList<BreakerDetails>> list(Operator operator, Predicate<String> selected) {
        return gateway.gatherReplicas(ENDPOINT, operator, new ListRequest(), selected)
                .thenApply(gathered ->
                        GatheredList.of(gathered, replica -> replica.answer().breakers()));
    }
}

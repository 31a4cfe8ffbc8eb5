package io.holdfast.admin.operation;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.OperationItem;
import io.holdfast.action.StagedOperation;
import io.holdfast.admin.breaker.BreakerDetails;
import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Opens and closes circuit breakers. Each replica has its own, in memory: an action has an item per replica, which that
 * replica runs. Thread-safe.
 */
public final class BreakerOperations implements ActionHandler {

    /** A replica that is not live then would surprise later: its breaker is new when it starts. */
    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

    private final HoldfastService service;
    private final BreakerListing breakers;

    private BreakerOperations(HoldfastService service, BreakerListing breakers) {
        this.service = service;
        this.breakers = breakers;
    }

    /** Creates the handler, and lets this replica run the operations. */
    public static BreakerOperations of(HoldfastService service, BreakerListing breakers) {
        BreakerOperations operations = new BreakerOperations(service, breakers);
        service.handleOperations(
                Kind.OPEN_BREAKER, operations.new AtReplica(CircuitBreaker::transitionToForcedOpenState));
        service.handleOperations(Kind.CLOSE_BREAKER, operations.new AtReplica(CircuitBreaker::transitionToClosedState));
        return operations;
    }

    @Override
    public boolean handles(Kind kind) {
        return kind == Kind.OPEN_BREAKER || kind == Kind.CLOSE_BREAKER;
    }

    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        String name = Part.BREAKER.name(request.target());
        return breakers.list(operator, service.name()::equals)
                .thenApply(found ->
                        withRemark(request, found).withTimeToLive(TIME_TO_LIVE).withItems(items(name, found)));
    }

    /** In an incident, opening the breakers of most replicas is better than opening none. */
    private static Action withRemark(Action request, GatheredList<BreakerDetails> found) {
        return found.incomplete().isEmpty()
                ? request
                : request.withOptions(Map.of("incomplete", "a live replica has not answered"));
    }

    /** Replicas without the breaker are left out: it is created closed, by its first call. */
    private List<OperationItem> items(String name, GatheredList<BreakerDetails> found) {
        List<OperationItem> items = found.entries().stream()
                .filter(breaker -> breaker.name().equals(name))
                .map(breaker -> new OperationItem("breaker", breaker.replica() + "/" + name))
                .toList();
        if (items.isEmpty()) {
            throw unknown(name, found);
        }
        return items;
    }

    private OperatorProblem unknown(String name, GatheredList<BreakerDetails> found) {
        return OperatorProblem.of(
                404,
                "breaker-unknown",
                "Circuit breaker not found",
                "no replica of service " + service.name() + " has a circuit breaker " + name
                        + (found.incomplete().isEmpty() ? "" : "; not all of them have answered"),
                "GET /api/admin/breakers lists the breakers; a breaker is created by its first call");
    }

    /** Runs an item at the replica that it names. */
    private final class AtReplica implements OperationHandler {

        private final Consumer<CircuitBreaker> change;

        AtReplica(Consumer<CircuitBreaker> change) {
            this.change = change;
        }

        @Override
        public CompletableFuture<OperationEffect> run(StagedOperation operation) {
            String name = Part.BREAKER.name(operation.target());
            CircuitBreaker breaker = find(name)
                    .orElseThrow(() ->
                            new PermanentException("replica " + service.replica() + " has no circuit breaker " + name));
            change.accept(breaker);
            return CompletableFuture.completedFuture(OperationEffect.inMemory());
        }

        private Optional<CircuitBreaker> find(String name) {
            return service.resilience().circuitBreakers().find(name);
        }

        @Override
        public Place place(StagedOperation operation) {
            String own = service.replica() + "/" + Part.BREAKER.name(operation.target());
            return operation.item().name().equals(own) ? Place.HERE : Place.ELSEWHERE;
        }
    }
}

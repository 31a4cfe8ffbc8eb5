package io.holdfast.saga;

import io.holdfast.InvalidSettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Collects the declarations of choreographed sagas: which event compensates which, and which service appends it. All
 * services of a saga share the declaration.
 *
 * <pre>{@code
 * registry.saga("OrderFulfillment").streams("orders", "reservations", "payments")
 *         .register("OrderCreated", "OrderCancelled", "order")
 *         .register("StockReserved", "StockReleased", "inventory")
 *             .failedBy("StockReservationFailed").withdrawnBy("ReservationWithdrawn")
 *         .completedBy("OrderConfirmed", "order")
 *         .cancelBy((saga, decision) -> OrderCancellation.cancel(saga.key(), saga.reason(), decision));
 * }</pre>
 *
 * <p>Not thread-safe: declare sagas while the service is configured.
 */
public final class CompensationRegistry {

    private final List<SagaDeclaration> declarations = new ArrayList<>();

    /** Starts the declaration of a saga type. */
    public SagaDeclaration saga(String type) {
        SagaDeclaration declaration = new SagaDeclaration(type);
        declarations.add(declaration);
        return declaration;
    }

    /** Adds the declarations of another registry, also those that are not complete yet. */
    public void include(CompensationRegistry other) {
        declarations.addAll(other.declarations);
    }

    /**
     * Returns the declared sagas, without the checks that depend on a service.
     *
     * @throws InvalidSettingsException naming every mistake
     */
    public Choreographies choreographies() {
        return choreographies(DeclarationChecks.ofEveryService());
    }

    /**
     * Returns the declared sagas after checking them for a service.
     *
     * @param service the service that starts
     * @param ownedStreams the streams that it owns
     * @throws InvalidSettingsException naming every mistake
     */
    public Choreographies validate(String service, Set<String> ownedStreams) {
        return choreographies(DeclarationChecks.ofService(service, ownedStreams));
    }

    private Choreographies choreographies(DeclarationChecks checks) {
        List<Choreography> types =
                declarations.stream().map(SagaDeclaration::choreography).toList();
        List<String> problems = checks.problems(declarations, types);
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
        return new Choreographies(types);
    }
}

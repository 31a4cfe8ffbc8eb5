package io.holdfast.processing.segment;

import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.BoundComponent;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.resilience.Breakers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Everything that running a processor's handlers needs. */
public record HandlerRuntime(
        List<BoundComponent> components,
        PayloadCodec codec,
        Breakers breakers,
        HandlerInterceptor interceptor,
        Executor threads) {

    Optional<BoundComponent> component(String id) {
        return components.stream()
                .filter(component -> component.id().equals(id))
                .findFirst();
    }

    /** Returns whether handlers run in a transaction that also carries their unit. */
    boolean writesApplicationRows() {
        return components.stream().anyMatch(bound -> bound.component().rowsIn().isPresent());
    }
}

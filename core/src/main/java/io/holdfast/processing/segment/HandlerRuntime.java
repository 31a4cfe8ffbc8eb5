package io.holdfast.processing.segment;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.parking.BoundComponent;
import io.holdfast.resilience.breaker.Breakers;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Everything that running a processor's handlers needs.
 *
 * @param components the components of this version
 * @param standIns supplies a component without handlers, by id, for a component that this version lacks
 */
public record HandlerRuntime(
        List<BoundComponent> components,
        Function<String, BoundComponent> standIns,
        PayloadCodec codec,
        Breakers breakers,
        HandlerInterceptor interceptor,
        Executor threads) {

    public BoundComponent component(String id) {
        return components.stream()
                .filter(component -> component.id().equals(id))
                .findFirst()
                .orElseGet(() -> standIns.apply(id));
    }

    /** Returns whether events of this sequence are recovered instead of becoming PENDING. */
    boolean recovers(ParkedSequence sequence) {
        return component(sequence.id().component()).component().recovery().isPresent();
    }

    /** Returns whether handlers run in a transaction that also carries their unit. */
    boolean writesApplicationRows() {
        return components.stream().anyMatch(bound -> bound.component().rowsIn().isPresent());
    }
}

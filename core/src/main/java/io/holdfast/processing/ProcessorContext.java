package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.PayloadCodec;
import io.holdfast.resilience.Breakers;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Everything that the segments of a processor share. */
record ProcessorContext(
        String service,
        String processor,
        String replica,
        List<BoundComponent> components,
        ProcessorStores stores,
        ProcessorSettings settings,
        PayloadCodec codec,
        Breakers breakers,
        HandlerInterceptor interceptor,
        BreakerProbes probes,
        FailurePolicy policy,
        Executor threads,
        ProcessorMetrics metrics,
        ParkingNotifier parkingNotifier,
        Clock clock,
        Runnable wake) {

    Optional<BoundComponent> component(String id) {
        return components.stream()
                .filter(component -> component.id().equals(id))
                .findFirst();
    }

    /** Notifies listeners that a queue has no room for a sequence. */
    void notifyOverflow(SequenceId id) {
        String queue = component(id.component()).orElseThrow().queueName();
        parkingNotifier.notifyListeners(new DeadLetterChange(DeadLetterChange.Kind.OVERFLOW, queue, id, 0, true, null));
    }

    /** Returns whether handlers run in a transaction that also commits their unit. */
    boolean writesApplicationRows() {
        return components.stream().anyMatch(bound -> bound.component().rowsIn().isPresent());
    }

    Instant now() {
        return clock.instant();
    }
}

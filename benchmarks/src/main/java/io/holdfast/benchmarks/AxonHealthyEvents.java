package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.deadletter.DeadLetteringEventHandlerInvoker;

/** Counts Axon's statements for events whose sequence is not parked and whose handler succeeds. */
final class AxonHealthyEvents {

    private static final int EVENTS_PER_UNIT = 100;

    private final CountedCalls counted = new CountedCalls();
    private final AxonQueue queue;

    AxonHealthyEvents(AxonQueue queue) {
        this.queue = queue.withDataSource(counted::wrap);
    }

    /** Returns the statements per event of each pass, without commits. Every pass has one event per key. */
    List<Double> statements(boolean cached, int keys, int passes) {
        DeadLetteringEventHandlerInvoker invoker = queue.invoker(event -> null, cached);
        List<Double> perEvent = new ArrayList<>();
        for (int pass = 0; pass < passes; pass++) {
            List<EventMessage<?>> events = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                events.add(AxonQueue.event("healthy-" + key, key));
            }
            counted.reset();
            AxonParking.handle(queue, invoker, events, EVENTS_PER_UNIT);
            long statements = counted.calls().entrySet().stream()
                    .filter(call -> !call.getKey().equals("commit"))
                    .mapToLong(call -> call.getValue().count())
                    .sum();
            perEvent.add((double) statements / keys);
        }
        return perEvent;
    }
}

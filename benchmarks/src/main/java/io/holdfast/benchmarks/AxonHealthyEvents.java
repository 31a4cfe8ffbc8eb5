package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.deadletter.DeadLetteringEventHandlerInvoker;

/** What Axon asks the database for each event of a sequence that is not parked, whose handler succeeds. */
final class AxonHealthyEvents {

    private static final int EVENTS_PER_UNIT = 100;

    private final CountedCalls counted = new CountedCalls();
    private final AxonQueue queue;

    AxonHealthyEvents(AxonQueue queue) {
        this.queue = queue.withDataSource(counted::wrap);
    }

    /** Statements per event, commits not among them, by pass: in each pass every key has one event. */
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

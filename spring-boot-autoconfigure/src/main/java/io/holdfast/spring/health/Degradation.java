package io.holdfast.spring.health;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.status.ProcessorStatus;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A part of the service that is waiting. Nothing is lost, and the service still accepts commands.
 *
 * @param name the part that is waiting
 * @param reason what it is waiting for
 */
public record Degradation(String name, String reason) {

    /** Returns all degradations that this process knows of, without any remote call. */
    static List<Degradation> of(HoldfastService service, boolean isWireUp) {
        List<Degradation> all = new ArrayList<>();
        if (!isWireUp) {
            all.add(new Degradation(
                    "wire", "it is down; events wait in the log and are published when it is up again"));
        }
        service.resilience().circuitBreakers().getAllCircuitBreakers().stream()
                .filter(Degradation::isOpen)
                .map(breaker -> new Degradation("breaker " + breaker.getName(), "it is " + breaker.getState()))
                .forEach(all::add);
        for (Map.Entry<String, EventProcessor> processor : service.processors().entrySet()) {
            add("processor " + processor.getKey(), processor.getValue().status(), all);
        }
        service.sagaProblems().forEach(problem -> all.add(new Degradation("sagas", problem)));
        return all;
    }

    private static boolean isOpen(CircuitBreaker breaker) {
        return breaker.getState() == CircuitBreaker.State.OPEN
                || breaker.getState() == CircuitBreaker.State.FORCED_OPEN;
    }

    private static void add(String processor, ProcessorStatus status, List<Degradation> all) {
        status.error().ifPresent(error -> all.add(new Degradation(processor, error)));
        status.stoppedStreams()
                .forEach((stream, reason) -> all.add(new Degradation(processor + ", stream " + stream, reason)));
        for (SegmentStatus segment : status.segments()) {
            add(processor + ", segment " + segment.number(), segment, all);
        }
    }

    private static void add(String name, SegmentStatus segment, List<Degradation> all) {
        if (segment.owner().isEmpty() && segment.error().isEmpty()) {
            all.add(new Degradation(name, "no replica has claimed it"));
        }
        segment.blockedBy()
                .ifPresent(
                        event -> all.add(new Degradation(name, "event " + event + " blocks it and cannot be parked")));
        segment.error().ifPresent(error -> all.add(new Degradation(name, error)));
        segment.slowHandlers()
                .forEach(slow -> all.add(new Degradation(
                        name,
                        slow.component() + " has been handling " + slow.type() + " " + slow.event() + " since "
                                + slow.since())));
        segment.waitingForThreadSince()
                .ifPresent(since ->
                        all.add(new Degradation(name, "it has been waiting for a handler thread since " + since)));
    }
}

package io.holdfast.examples.shop;

import io.holdfast.aggregate.Decision;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.SinglePart;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs one service's decisions on the real committer with an in-memory store, on the caller's thread. */
final class SimulatedService {

    private final String name;
    private final List<Component> components;
    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final InMemoryStore store;
    private final EngineUnderTest engine;

    SimulatedService(String name, List<Component> components) {
        this.name = name;
        this.components = components;
        this.store = new InMemoryStore(name, clock);
        this.engine = new EngineUnderTest(name, store, clock);
    }

    List<Component> components() {
        return components;
    }

    /** Returns all events of the service's log. */
    List<EventMessage> events() {
        return store.eventLog().readAll(0, Integer.MAX_VALUE);
    }

    void decide(Metadata metadata, Decision decision) {
        if (!commit(SinglePart.of(EventIds.random(clock.instant()), name + "/commands", metadata, decision))) {
            throw new AssertionError("service " + name + " rejected a command");
        }
    }

    /** @return the effects of the event, or empty if the component has no handler for it */
    Optional<SinglePart> handle(EventMessage event, Component component) {
        return SinglePart.ofHandler(component, event, name + "/" + component.name(), codec);
    }

    /** @return whether the part was committed */
    boolean commit(SinglePart part) {
        CompletableFuture<SinglePart.Outcome> outcome = engine.submit(part);
        engine.commit();
        return outcome.join() != SinglePart.Outcome.REJECTED;
    }
}

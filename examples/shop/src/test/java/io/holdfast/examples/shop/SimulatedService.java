package io.holdfast.examples.shop;

import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.Decision;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.processing.Component;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One service's decisions on the real committer over an in-memory store, step by step on the caller's thread. */
final class SimulatedService {

    private final String name;
    private final List<Component> components;
    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final InMemoryStore store;
    private final GroupCommitter committer;

    SimulatedService(String name, List<Component> components) {
        this.name = name;
        this.components = components;
        this.store = new InMemoryStore(name, clock);
        this.committer = new GroupCommitter(
                CommitterSettings.of(name),
                store.commitStore(),
                store.eventLog(),
                new AggregateStates(store.eventLog(), codec),
                store.viewStore(),
                codec,
                clock);
    }

    List<Component> components() {
        return components;
    }

    /** All that it has said so far. */
    List<EventMessage> events() {
        return store.eventLog().readAll(0, Integer.MAX_VALUE);
    }

    void decide(Metadata metadata, Decision decision) {
        if (!commit(Part.of(new PartId(EventIds.random(clock.instant()), name + "/commands"), metadata, decision))) {
            throw new AssertionError("a command was refused by " + name);
        }
    }

    /** What the component makes of an event; empty if it does not listen to such. */
    Optional<Part> handle(EventMessage event, Component component) {
        return component.handle(event, name + "/" + component.name(), codec);
    }

    /** @return false if the part failed */
    boolean commit(Part part) {
        CompletableFuture<UnitOutcome> answer = committer.submit(CommitUnit.of(part));
        committer.commitWaiting();
        return answer.join() instanceof UnitOutcome.Committed;
    }
}

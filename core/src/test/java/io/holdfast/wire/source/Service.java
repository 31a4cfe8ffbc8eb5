package io.holdfast.wire.source;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.Payload;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.StreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service with a log whose events the test itself publishes. */
final class Service {

    private final ManualClock clock = new ManualClock();
    private final InMemoryStore store = new InMemoryStore("shop", clock);
    private final Map<String, Long> versions = new HashMap<>();

    EventLog log() {
        return store.eventLog();
    }

    ConsumerGroups groups() {
        return store.consumerGroups();
    }

    StreamServer server() {
        return new LogStreamServer(log(), groups());
    }

    Announcement announcement() {
        return new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), log().heads());
    }

    void raiseEpoch() {
        store.commitStore().raiseEpoch();
    }

    ManualClock clock() {
        return clock;
    }

    OutboxStore outbox() {
        return store.outboxStore();
    }

    /** Commits events to an event-sourced stream. */
    List<EventMessage> append(String stream, int count) {
        List<EventMessage> events = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            events.add(append(stream));
        }
        return events;
    }

    private EventMessage append(String stream) {
        EventDraft draft = new EventDraft(
                EventIds.random(clock.instant()),
                "shop",
                new AggregateKey(stream, "a"),
                versions.merge(stream, 1L, Long::sum),
                clock.instant(),
                Metadata.none(),
                payload());
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            session.write(List.of(new UnitWrites(List.of(draft), List.of(), List.of(), Optional.empty())));
            return session.commit().get(0);
        }
    }

    /** Writes entries to an outbox stream and assigns their positions. */
    List<EventMessage> write(String stream, int count) {
        long before = log().head(stream).position();
        store.transactions().run(() -> {
            for (int number = 0; number < count; number++) {
                store.outboxStore().write(stream, "a", new NewEvent(payload(), Metadata.none()));
            }
        });
        store.outboxStore().assignPositions(count);
        return log().readStream(stream, before, count);
    }

    void evict(String stream, long upTo) {
        clock.advance(Duration.ofHours(1));
        store.outboxStore().evict(stream, upTo, clock.instant());
    }

    static Payload payload() {
        return new Payload("Noted", 1, "{}");
    }
}

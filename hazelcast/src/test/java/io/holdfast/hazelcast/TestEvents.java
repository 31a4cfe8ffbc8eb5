package io.holdfast.hazelcast;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates events of one log, each with its predecessor in its stream. */
final class TestEvents {

    private final LogIdentity log = new LogIdentity(EventIds.random(Instant.EPOCH), 1);
    private final Map<String, EventMessage> newest = new HashMap<>();
    private long position;

    EventMessage next(String stream) {
        return next(stream, "k", "{}");
    }

    EventMessage next(String stream, String key, String json) {
        EventMessage before = newest.get(stream);
        LogPosition logPosition = before == null
                ? new LogPosition(log, ++position, 0, null)
                : new LogPosition(log, ++position, before.position(), before.id());
        Instant time = Instant.parse("2026-01-01T00:00:00.123456789Z").plusSeconds(position);
        EventMessage event = new EventMessage(
                EventIds.random(time),
                "shop",
                stream,
                key,
                position,
                time,
                Metadata.none().withCorrelationId("c"),
                new Payload("Noted", 1, json),
                logPosition);
        newest.put(stream, event);
        return event;
    }

    List<EventMessage> next(String stream, int count) {
        List<EventMessage> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(next(stream));
        }
        return events;
    }
}

package io.holdfast.examples.shop.web;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One event of an aggregate's history, as the REST API returns it.
 *
 * @param sequence the event's version within its key
 * @param payload the stored JSON, unchanged
 */
public record HistoryEntry(
        UUID eventId,
        String eventType,
        long sequence,
        Instant occurredAt,
        Map<String, String> metadata,
        @JsonRawValue String payload) {

    /** The maximum number of events per response. */
    public static final int MAX_LIMIT = 500;

    public static List<HistoryEntry> of(List<EventMessage> events) {
        return events.stream().map(HistoryEntry::of).toList();
    }

    private static HistoryEntry of(EventMessage event) {
        return new HistoryEntry(
                event.id(),
                event.type(),
                event.version(),
                event.occurredAt(),
                event.metadata().asMap(),
                event.payload().json());
    }
}

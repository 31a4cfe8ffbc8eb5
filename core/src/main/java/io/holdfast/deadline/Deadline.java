package io.holdfast.deadline;

import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.view.RowIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a scheduled event. Scheduling the same name and key again replaces it and assigns a new id.
 *
 * @param id the id of this scheduling, from which the id of the event is derived
 * @param name what the deadline is for, for example {@code reminder}
 * @param key the key of the event, for example an order's id
 * @param dueAt when the event is appended, on the {@link DeadlineClock}
 * @param eventType the type of the event
 * @param revision the revision of the event
 * @param payload the content of the event, as JSON; empty once the deadline has ended
 * @param metadata what the event inherits from the decision that scheduled it
 * @param retryAt when firing is attempted again, if it failed
 * @param endedAt when the deadline fired or was cancelled; the row is purged later
 */
public record Deadline(
        UUID id,
        String name,
        String key,
        Instant dueAt,
        String eventType,
        int revision,
        String payload,
        Map<String, String> metadata,
        @Nullable Instant retryAt,
        @Nullable Instant endedAt) {

    /** A decision that has read the row must not meet one that starts over, so the row outlives its end. */
    private static final Duration PURGE_AFTER = Duration.ofHours(1);

    public Deadline {
        metadata = Map.copyOf(metadata);
    }

    /** Returns a deadline that is scheduled. */
    public static Deadline of(UUID id, String name, String key, Instant dueAt, Payload event, Metadata inherited) {
        return new Deadline(
                id, name, key, dueAt, event.type(), event.revision(), event.json(), inherited.asMap(), null, null);
    }

    /** Returns the event to append. Only a scheduled deadline has one. */
    public Payload event() {
        return new Payload(eventType, revision, payload);
    }

    /** Returns whether the event will be appended. */
    public boolean isScheduled() {
        return endedAt == null;
    }

    /** Returns the deadline without its payload, which is not needed any more. */
    public Deadline ended(Instant at) {
        return new Deadline(id, name, key, dueAt, eventType, revision, "", metadata, null, at);
    }

    public Deadline retryingAt(Instant at) {
        return new Deadline(id, name, key, dueAt, eventType, revision, payload, metadata, at, endedAt);
    }

    /** Returns when the row must be looked at: to fire, to try again, or to be purged. */
    RowIndex index() {
        Instant next = retryAt == null ? dueAt : retryAt;
        return new RowIndex(null, null, endedAt == null ? next : endedAt.plus(PURGE_AFTER));
    }
}

package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries of all services. A filter that is null matches everything.
 *
 * @param limit the page size, 1 to {@link #MAX_LIMIT}
 * @param after the place after which the page starts; null for the newest entries
 * @param statuses which entries; PENDING if empty
 * @param service the service in which the letters are parked
 * @param processor the name of the processor
 * @param component the component's name, its processor and name, or its id
 * @param causeType the class of the exception
 * @param group the id of a cause group
 * @param from since when the sequence is parked, or when the entry was resolved
 * @param to until when, exclusive
 * @param text a part of the cause, in any case
 */
public record DeadLetterQuery(
        int limit,
        @Nullable EntryCursor after,
        @Nullable List<EntryStatus> statuses,
        @Nullable String service,
        @Nullable String processor,
        @Nullable String component,
        @Nullable String eventType,
        @Nullable String causeType,
        @Nullable String group,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String sagaId,
        @Nullable String correlationId,
        @Nullable UUID eventId,
        @Nullable String key,
        @Nullable String text) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 500;

    /** Selects the newest PENDING entries. */
    public static final DeadLetterQuery NEWEST = new DeadLetterQuery(
            DEFAULT_LIMIT,
            null,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);

    public DeadLetterQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new PermanentException("limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
        statuses = statuses == null || statuses.isEmpty() ? List.of(EntryStatus.PENDING) : List.copyOf(statuses);
    }

    /** Returns the query for the page after a place. */
    public DeadLetterQuery after(@Nullable EntryCursor place, int newLimit) {
        return new DeadLetterQuery(
                newLimit,
                place,
                statuses,
                service,
                processor,
                component,
                eventType,
                causeType,
                group,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text);
    }

    boolean matchesService(String name) {
        return service == null || service.equals(name);
    }
}

package io.holdfast.deadletter.entry;

import io.holdfast.PermanentException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries. A filter that is null, or an empty set of components, matches everything.
 *
 * @param statuses at least one
 * @param processor the name of the processor
 * @param components the ids of the components
 * @param causeType the class of the exception
 * @param causeGroup the cause group
 * @param from the earliest {@link EntryCursor#time}
 * @param to the time before which the entries are
 * @param key the aggregate id
 * @param text occurs in the class or message of the exception; case is ignored
 * @param after the cursor of the previous page; null for the first page
 * @param limit the page size, 1 to {@link #MAX_LIMIT}
 */
public record EntryQuery(
        Set<EntryStatus> statuses,
        @Nullable String processor,
        Set<String> components,
        @Nullable String eventType,
        @Nullable String causeType,
        @Nullable String causeGroup,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String sagaId,
        @Nullable String correlationId,
        @Nullable UUID eventId,
        @Nullable String key,
        @Nullable String text,
        @Nullable EntryCursor after,
        int limit) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 500;

    /** Selects what needs an operator. */
    public static final EntryQuery PENDING = of(EntryStatus.PENDING);

    public EntryQuery {
        statuses = Set.copyOf(statuses);
        components = Set.copyOf(components);
        if (statuses.isEmpty()) {
            throw new PermanentException("select at least one status");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new PermanentException("limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
    }

    /** Selects all entries of these statuses. */
    public static EntryQuery of(EntryStatus... statuses) {
        return new EntryQuery(
                Set.of(statuses),
                null,
                Set.of(),
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
                DEFAULT_LIMIT);
    }

    public EntryQuery statuses(Set<EntryStatus> newStatuses) {
        return new EntryQuery(
                newStatuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery processor(@Nullable String newProcessor) {
        return new EntryQuery(
                statuses,
                newProcessor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery components(Set<String> newComponents) {
        return new EntryQuery(
                statuses,
                processor,
                newComponents,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery eventType(@Nullable String newEventType) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                newEventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery causeType(@Nullable String newCauseType) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                newCauseType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery causeGroup(@Nullable String newCauseGroup) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                newCauseGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery from(@Nullable Instant newFrom) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                newFrom,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery to(@Nullable Instant newTo) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                newTo,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery sagaId(@Nullable String newSagaId) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                newSagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery correlationId(@Nullable String newCorrelationId) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                newCorrelationId,
                eventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery eventId(@Nullable UUID newEventId) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                newEventId,
                key,
                text,
                after,
                limit);
    }

    public EntryQuery key(@Nullable String newKey) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                newKey,
                text,
                after,
                limit);
    }

    public EntryQuery text(@Nullable String newText) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                newText,
                after,
                limit);
    }

    /** Continues behind the last page. */
    public EntryQuery after(@Nullable EntryCursor newAfter) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                newAfter,
                limit);
    }

    public EntryQuery limit(int newLimit) {
        return new EntryQuery(
                statuses,
                processor,
                components,
                eventType,
                causeType,
                causeGroup,
                from,
                to,
                sagaId,
                correlationId,
                eventId,
                key,
                text,
                after,
                newLimit);
    }

    /**
     * Returns whether filters restrict the letters of a sequence further, beyond status, component, group and time. A
     * store examines letters to evaluate them.
     */
    public boolean examinesLetters() {
        return eventType != null
                || causeType != null
                || sagaId != null
                || correlationId != null
                || eventId != null
                || key != null
                || text != null;
    }

    /** Returns whether an event, a saga or a correlation id selects few letters, which a store finds directly. */
    public boolean selectsFew() {
        return eventId != null || sagaId != null || correlationId != null;
    }

    /** Returns whether an entry has the selected status, component, group and time, and comes after the cursor. */
    public boolean covers(Entry entry) {
        return statuses.contains(entry.status())
                && isNullOr(processor, entry.consumer())
                && (components.isEmpty() || components.contains(entry.component()))
                && isNullOr(causeGroup, entry.causeGroup())
                && (from == null || !entry.time().isBefore(from))
                && (to == null || entry.time().isBefore(to))
                && (after == null || entry.cursor().compareTo(after) > 0);
    }

    /** Returns whether an entry matches the other filters. */
    public boolean matches(Entry entry) {
        return isNullOr(eventId, entry.event().id())
                && isNullOr(eventType, entry.event().type())
                && isNullOr(key, entry.event().key())
                && isNullOr(sagaId, entry.event().sagaId())
                && isNullOr(correlationId, entry.event().correlationId())
                && matches(entry.failure());
    }

    private boolean matches(Entry.@Nullable Failure failure) {
        return failure == null
                ? causeType == null && text == null
                : isNullOr(causeType, failure.type())
                        && (text == null || lower(failure.summary()).contains(lower(text)));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static boolean isNullOr(@Nullable Object filter, @Nullable Object value) {
        return filter == null || Objects.equals(filter, value);
    }
}

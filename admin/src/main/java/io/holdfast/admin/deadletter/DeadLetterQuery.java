package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries. A filter that is null matches everything.
 *
 * @param limit the page size, 1 to {@link #MAX_LIMIT}
 * @param page the page number, 0 for the newest entries
 * @param service the service in which the letters are parked
 * @param component the component's name, its processor and name, or its id
 * @param eventType the type of the event
 * @param sagaId the saga that the event belongs to
 */
public record DeadLetterQuery(
        int limit,
        int page,
        @Nullable SequenceState status,
        @Nullable String service,
        @Nullable String component,
        @Nullable String processor,
        @Nullable String eventType,
        @Nullable String sagaId) {

    public static final int DEFAULT_LIMIT = 20;
    public static final int MAX_LIMIT = 500;

    /** Selects the newest entries, without a filter. */
    public static final DeadLetterQuery NEWEST =
            new DeadLetterQuery(DEFAULT_LIMIT, 0, null, null, null, null, null, null);

    public DeadLetterQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new PermanentException("limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
        if (page < 0) {
            throw new PermanentException("page must be 0 or more, but is " + page);
        }
    }

    /** Returns the number of entries before the page. */
    long offset() {
        return (long) page * limit;
    }

    boolean matches(ManagedComponent candidate) {
        return (service == null || service.equals(candidate.service()))
                && (component == null || candidate.matches(component))
                && (processor == null || processor.equals(candidate.processorName()));
    }

    boolean matches(ParkedSequence sequence) {
        return status == null || status == sequence.state();
    }

    /** @return whether the letters themselves must be read to evaluate the filters */
    boolean filtersByEvent() {
        return eventType != null || sagaId != null;
    }

    boolean matches(DeadLetter letter) {
        return (eventType == null || eventType.equals(letter.message().type()))
                && (sagaId == null
                        || letter.message()
                                .metadata()
                                .sagaId()
                                .filter(sagaId::equals)
                                .isPresent());
    }
}

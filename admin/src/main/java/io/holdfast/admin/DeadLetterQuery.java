package io.holdfast.admin;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import org.jspecify.annotations.Nullable;

/**
 * Which entries somebody wants to see. What is null does not matter.
 *
 * @param limit how many at most, 1 to {@link #MAX_LIMIT}
 * @param page 0 for the newest
 * @param service that the letters are parked in
 * @param component its name, its processor and name, or its id
 * @param eventType of the event
 * @param sagaId of the saga that the event is part of
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

    /** The newest ones of all. */
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

    /** How many entries come before the page. */
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

    /** Whether it depends on the letters themselves. */
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

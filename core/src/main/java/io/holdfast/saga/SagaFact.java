package io.holdfast.saga;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A recorded fact.
 *
 * @param eventType the type of the event that reports it; null if an operator or the engine has recorded it
 * @param eventId the id of that event, or null
 * @param at when the event occurred
 * @param reason the cause of a failure, cancellation or timeout, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SagaFact(@Nullable String eventType, @Nullable UUID eventId, Instant at, @Nullable String reason) {

    private static final Comparator<SagaFact> EARLIEST = Comparator.comparing(SagaFact::at)
            .thenComparing(SagaFact::eventId, Comparator.nullsFirst(Comparator.naturalOrder()));

    /** Creates a fact that no event reports. */
    public static SagaFact decided(Instant at, @Nullable String reason) {
        return new SagaFact(null, null, at, reason);
    }

    /** Returns a fact with the type of its event, if an event reports it and its type was left out. */
    static @Nullable SagaFact typed(@Nullable SagaFact fact, @Nullable String eventType) {
        return fact == null || fact.eventType != null || fact.eventId == null
                ? fact
                : new SagaFact(eventType, fact.eventId, fact.at, fact.reason);
    }

    /** Returns the earlier of two facts, so that the order in which they arrive does not matter. */
    static SagaFact earlier(@Nullable SagaFact one, SagaFact other) {
        return one == null || EARLIEST.compare(other, one) < 0 ? other : one;
    }
}

package io.holdfast.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.deadletter.entry.EntryStatus;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter as operators see it. Lists show it without its payload.
 *
 * @param dlqEntryId unique over all services, and the same on all replicas
 * @param originalEventId the id of the event
 * @param topicName the stream that the event was published to
 * @param key the aggregate id
 * @param payload the content of the event as JSON; only of a single entry, and null if the wire could not carry it
 * @param failureReason why the event could not be handled; null if it was parked behind another letter of its sequence
 * @param failureType the class of the exception
 * @param failureTimestamp the time of the last attempt
 * @param causeGroup the id of the group of similar causes
 * @param sourceService the service that could not handle the event
 * @param component the name of the component that could not handle the event
 * @param queue the name of the queue, {@code DeadLetterQueue[processor][component]}
 * @param retired whether no component of the service handles the event any more; null if one does
 * @param sequence the sequence identifier
 * @param positionInSequence 1 for the first letter of the sequence
 * @param sequenceSize the number of parked letters of the sequence
 * @param attempts the number of attempts
 * @param nextAttempt the time of the next automatic attempt, if any
 * @param heldBy the circuit breaker that holds the sequence
 * @param replayCount the number of replays that an operator has requested and that failed; of a resolved entry, with the
 *     one that succeeded
 * @param status the state of the sequence, or how the entry was resolved
 * @param resolvedAt when the entry was resolved
 * @param resolution distinguishes ways of resolving it, for example {@code evicted}
 * @param receiptId the receipt of the action that has resolved it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterEntry(
        String dlqEntryId,
        UUID originalEventId,
        String eventType,
        String topicName,
        String key,
        @Nullable Object payload,
        @Nullable String failureReason,
        @Nullable String failureType,
        @Nullable Instant failureTimestamp,
        @Nullable String causeGroup,
        String sourceService,
        String processor,
        String component,
        String queue,
        @Nullable Boolean retired,
        @Nullable String sagaId,
        @Nullable String correlationId,
        String sequence,
        @Nullable Integer positionInSequence,
        @Nullable Integer sequenceSize,
        int attempts,
        @Nullable Instant nextAttempt,
        @Nullable String heldBy,
        int replayCount,
        EntryStatus status,
        @Nullable Instant enqueuedAt,
        @Nullable Instant lastTouched,
        @Nullable Instant resolvedAt,
        @Nullable String resolution,
        @Nullable String receiptId) {

    /** Starts an entry that code parks by hand, see {@link DeadLetterQueueOperations#add}. */
    public static DeadLetterEntryBuilder builder() {
        return new DeadLetterEntryBuilder();
    }
}

package io.holdfast.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter as operators see it in lists, without its content.
 *
 * @param originalEventId the id of the event
 * @param failureReason why the event could not be handled; null if it was parked behind another letter of its sequence
 * @param failureType the class of the exception
 * @param failureTimestamp the time of the last attempt
 * @param sourceService the service that could not handle the event
 * @param status the state of the sequence
 * @param component the name of the component that could not handle the event
 * @param queue the name of the queue, {@code DeadLetterQueue[processor][component]}
 * @param sequence the sequence identifier
 * @param positionInSequence 1 for the first letter of the sequence
 * @param sequenceSize the number of parked letters of the sequence
 * @param attempts the number of attempts
 * @param nextAttempt the time of the next automatic attempt, if any
 * @param heldBy the circuit breaker that holds the sequence
 * @param stream the stream that the event was read from
 * @param key the aggregate id
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeadLetterEntry(
        String dlqEntryId,
        UUID originalEventId,
        String eventType,
        @Nullable String failureReason,
        @Nullable String failureType,
        @Nullable Instant failureTimestamp,
        String sourceService,
        @Nullable String sagaId,
        @Nullable String correlationId,
        SequenceState status,
        String component,
        String processor,
        String queue,
        String sequence,
        int positionInSequence,
        int sequenceSize,
        int attempts,
        @Nullable Instant nextAttempt,
        @Nullable String heldBy,
        String stream,
        String key,
        Instant enqueuedAt,
        Instant lastTouched) {

    static DeadLetterEntry of(ManagedComponent component, ParkedSequence sequence, DeadLetter letter, int position) {
        Cause cause = letter.cause();
        boolean isFirst = letter.number() == sequence.first();
        boolean isRetriedAutomatically = isFirst && sequence.state() != SequenceState.PENDING;
        return new DeadLetterEntry(
                component.entryId(letter.message().id()),
                letter.message().id(),
                letter.message().type(),
                cause == null ? null : reason(cause),
                cause == null ? null : cause.type(),
                cause == null ? null : lastAttemptAt(letter),
                component.service(),
                letter.message().metadata().sagaId().orElse(null),
                letter.message().metadata().correlationId().orElse(null),
                sequence.state(),
                component.name(),
                component.processorName(),
                component.queue().name(),
                sequence.id().sequence(),
                position,
                sequence.size(),
                isFirst ? sequence.attempts() : letter.attempts().size(),
                isRetriedAutomatically ? sequence.nextAttempt() : null,
                isFirst ? sequence.heldBy() : null,
                letter.message().stream(),
                letter.message().key(),
                letter.enqueuedAt(),
                letter.lastTouched());
    }

    private static String reason(Cause cause) {
        String message = cause.message();
        return message == null ? cause.type() : message;
    }

    /** A HELD letter may have no attempts. */
    private static Instant lastAttemptAt(DeadLetter letter) {
        List<Attempt> attempts = letter.attempts();
        return attempts.isEmpty()
                ? letter.lastTouched()
                : attempts.get(attempts.size() - 1).at();
    }
}

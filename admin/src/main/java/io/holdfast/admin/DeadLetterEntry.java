package io.holdfast.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * A parked event as lists show it: all but its content.
 *
 * @param originalEventId the event
 * @param failureReason why it could not be handled; null if it was parked behind another of its sequence
 * @param failureType the class of what was thrown
 * @param failureTimestamp when it was tried last
 * @param sourceService that could not handle it
 * @param status what its sequence waits for
 * @param component the name of the component that could not handle it
 * @param queue {@code DeadLetterQueue[processor][component]}
 * @param sequence what must be handled in order
 * @param positionInSequence 1 for the one that the others wait for
 * @param sequenceSize how many are parked of it
 * @param attempts how often it was tried
 * @param nextAttempt when it is tried next, if it is tried by itself
 * @param heldBy the circuit breaker that it waits for
 * @param stream that the event was read from
 * @param key the aggregate
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
        boolean isTriedByItself = isFirst && sequence.state() != SequenceState.PENDING;
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
                isTriedByItself ? sequence.nextAttempt() : null,
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

    /** A letter that is held was not tried. */
    private static Instant lastAttemptAt(DeadLetter letter) {
        List<Attempt> attempts = letter.attempts();
        return attempts.isEmpty()
                ? letter.lastTouched()
                : attempts.get(attempts.size() - 1).at();
    }
}

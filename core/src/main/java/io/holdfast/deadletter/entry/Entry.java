package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.Attempt;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter as operators see it in lists: parked or resolved, without its content.
 *
 * @param consumer the name of the processor
 * @param failure why and when it failed; null if it was parked behind another letter and has not been tried
 * @param attempts the number of attempts
 * @param replayCount the number of replays by operators
 * @param escalated whether its sequence has been PENDING
 * @param causeGroup the cause group of its sequence; null if it has none
 * @param lastTouched changes whenever the letter changes: the version of the entry
 * @param parked where it waits; null if it is resolved
 * @param resolution how it was removed; null if it is parked
 * @param time as {@link EntryCursor#time}
 */
public record Entry(
        LetterId id,
        EntryStatus status,
        String consumer,
        Event event,
        @Nullable Failure failure,
        int attempts,
        int replayCount,
        boolean escalated,
        @Nullable String causeGroup,
        Instant enqueuedAt,
        Instant lastTouched,
        @Nullable Parked parked,
        @Nullable Resolution resolution,
        Instant time) {

    /**
     * The event of an entry, without its payload.
     *
     * @param source the service that appended it
     */
    public record Event(
            UUID id,
            String type,
            String source,
            String stream,
            String key,
            @Nullable String sagaId,
            @Nullable String correlationId) {

        static Event of(EventMessage message) {
            return new Event(
                    message.id(),
                    message.type(),
                    message.source(),
                    message.stream(),
                    message.key(),
                    message.metadata().sagaId().orElse(null),
                    message.metadata().correlationId().orElse(null));
        }
    }

    /**
     * The last failure of an entry.
     *
     * @param type the class of the exception
     * @param message the message of the exception, or null
     * @param at the time of the last attempt
     */
    public record Failure(String type, @Nullable String message, Instant at) {

        static @Nullable Failure of(DeadLetter letter) {
            Cause cause = letter.cause();
            return cause == null ? null : of(cause.type(), cause.message(), letter.attempts(), letter.lastTouched());
        }

        /** Creates a failure. A HELD letter may have no attempts. */
        public static Failure of(String type, @Nullable String message, List<Attempt> attempts, Instant lastTouched) {
            Instant at = attempts.isEmpty()
                    ? lastTouched
                    : attempts.get(attempts.size() - 1).at();
            return new Failure(type, message, at);
        }

        /** Returns the exception's class and message in one line. */
        public String summary() {
            return message == null ? type : type + ": " + message;
        }
    }

    /**
     * Where a parked entry waits.
     *
     * @param position 1 for the first letter of the sequence
     * @param sequenceSize the number of letters of the sequence
     * @param nextAttempt the time of its next automatic attempt; null unless one is scheduled
     * @param heldBy the circuit breaker that it waits for as the first letter, or null
     * @param awaits as {@link ParkedSequence#awaits}, for the first letter
     */
    public record Parked(
            int position,
            int sequenceSize,
            @Nullable Instant nextAttempt,
            @Nullable String heldBy,
            @Nullable String awaits) {

        public static Parked at(int position, ParkedSequence sequence) {
            boolean isFirst = position == 1;
            boolean isRetried = isFirst && sequence.state() != SequenceState.PENDING;
            return new Parked(
                    position,
                    sequence.size(),
                    isRetried ? sequence.nextAttempt() : null,
                    isFirst ? sequence.heldBy() : null,
                    isFirst ? sequence.awaits() : null);
        }
    }

    /**
     * How an entry was removed.
     *
     * @param detail as {@link ResolvedLetter#detail}
     * @param action as {@link ResolvedLetter#action}
     */
    public record Resolution(Instant at, @Nullable String detail, @Nullable String action) {}

    /** @param position 1 for the first letter of the sequence */
    public static Entry of(ParkedSequence sequence, DeadLetter letter, int position) {
        return new Entry(
                letter.id(),
                EntryStatus.of(sequence.state()),
                sequence.consumer(),
                Event.of(letter.message()),
                Failure.of(letter),
                position == 1 ? sequence.attempts() : letter.attempts().size(),
                letter.failedReplays(),
                sequence.escalated(),
                sequence.causeGroup(),
                letter.enqueuedAt(),
                letter.lastTouched(),
                Parked.at(position, sequence),
                null,
                sequence.since());
    }

    /** Returns the entry of a stored resolved letter; empty if it is never listed. */
    public static Optional<Entry> of(ResolvedLetter resolved) {
        Instant at = resolved.resolvedAt();
        return at == null
                ? Optional.empty()
                : EntryStatus.of(resolved.status()).map(status -> of(resolved, status, at));
    }

    private static Entry of(ResolvedLetter resolved, EntryStatus status, Instant at) {
        DeadLetter letter = resolved.letter();
        return new Entry(
                letter.id(),
                status,
                resolved.consumer(),
                Event.of(letter.message()),
                Failure.of(letter),
                letter.attempts().size(),
                resolved.replayCount(),
                resolved.escalated(),
                resolved.causeGroup(),
                letter.enqueuedAt(),
                letter.lastTouched(),
                null,
                new Resolution(at, resolved.detail(), resolved.action()),
                at);
    }

    /** Returns the stable id of the component. */
    public String component() {
        return id.sequence().component();
    }

    /** Returns its place in a list. */
    public EntryCursor cursor() {
        return new EntryCursor(time, component(), id.sequence().sequence(), id.number());
    }
}

package io.holdfast.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of a sequence with parked letters. Holdfast schedules attempts from it alone, without reading the letters.
 *
 * @param consumer the processor's name
 * @param hash the hash of the sequence identifier; determines the segment
 * @param first the number of the first letter
 * @param last the last number assigned; the next letter gets the number after it
 * @param size the number of letters
 * @param attempts the number of attempts made for the first letter
 * @param nextAttempt when the first letter is due; also the sequence's place among all sequences. For a PENDING
 *     sequence, the time of its last attempt
 * @param since when the first letter was parked
 * @param heldBy the circuit breaker that the sequence waits for, or null
 * @param heldSince when it started to wait for the breaker, or null
 * @param awaits set if the version that parked the first letter cannot handle it, so that the sequence awaits another
 *     version of the service: the event type and revision ({@code OrderPlaced@1}) that needs a handler, with the saga
 *     type ({@code OrderPlaced@1#OrderFulfillment}) if this version is limited to others, or {@link #ANY_VERSION}. Null if the sequence awaits no other version
 * @param awaitsSince since when no version has handled the first letter, or null
 * @param escalated whether the sequence has been PENDING; stays set until no letter is left
 * @param causeGroup the {@linkplain CauseGroup#id id of the cause group} of the first letter; null if that letter has not
 *     failed yet
 */
public record ParkedSequence(
        SequenceId id,
        String consumer,
        int hash,
        long first,
        long last,
        int size,
        SequenceState state,
        int attempts,
        Instant nextAttempt,
        Instant since,
        @Nullable String heldBy,
        @Nullable Instant heldSince,
        @Nullable String awaits,
        @Nullable Instant awaitsSince,
        boolean escalated,
        @Nullable String causeGroup) {

    public ParkedSequence {
        escalated |= state == SequenceState.PENDING;
    }

    /** Creates a sequence that was never PENDING, unless it is now, and whose first letter has no cause group. */
    public ParkedSequence(
            SequenceId id,
            String consumer,
            int hash,
            long first,
            long last,
            int size,
            SequenceState state,
            int attempts,
            Instant nextAttempt,
            Instant since,
            @Nullable String heldBy,
            @Nullable Instant heldSince,
            @Nullable String awaits,
            @Nullable Instant awaitsSince) {
        this(
                id,
                consumer,
                hash,
                first,
                last,
                size,
                state,
                attempts,
                nextAttempt,
                since,
                heldBy,
                heldSince,
                awaits,
                awaitsSince,
                false,
                null);
    }

    /** What a sequence awaits whose handler met a history or a row that its version cannot read. */
    public static final String ANY_VERSION = "*";

    /** Creates a sequence with one letter, which is due now. */
    public static ParkedSequence start(SequenceId id, String consumer, int hash, Instant now) {
        return new ParkedSequence(
                id, consumer, hash, 0, 0, 1, SequenceState.RETRYING, 0, now, now, null, null, null, null);
    }

    /** Returns this sequence with one more letter at its end. */
    public ParkedSequence grown() {
        return with(first, last + 1, size + 1, since);
    }

    /** Returns this sequence after a failed attempt that will be retried. */
    public ParkedSequence retrying(int newAttempts, Instant next) {
        return with(SequenceState.RETRYING, newAttempts, next, Wait.NONE);
    }

    public ParkedSequence held(String breaker, Instant heldFrom, Instant next) {
        return with(SequenceState.HELD, attempts, next, new Wait(breaker, heldFrom, null, null));
    }

    /**
     * Returns this sequence as awaiting another version of the service. That spends no attempt.
     *
     * @param what as {@link #awaits}
     * @param next when this version looks at it again
     */
    public ParkedSequence awaiting(String what, Instant from, Instant next) {
        return with(SequenceState.RETRYING, attempts, next, new Wait(null, null, what, from));
    }

    /** Returns this sequence as PENDING because no version has handled it in time. It still awaits one. */
    public ParkedSequence pendingAndAwaiting(String what, Instant from, Instant now) {
        return with(SequenceState.PENDING, attempts, now, new Wait(null, null, what, from));
    }

    /**
     * Returns this sequence as due now, because the version that it awaited is here. It keeps the time since when it
     * waited, in case that version cannot handle it either.
     */
    public ParkedSequence awaited(Instant now) {
        return with(SequenceState.RETRYING, attempts, now, new Wait(null, null, null, awaitsSince));
    }

    public ParkedSequence pending(int newAttempts, Instant now) {
        return with(SequenceState.PENDING, newAttempts, now, Wait.NONE);
    }

    /** Returns this sequence as due now, because a replay was requested. */
    public ParkedSequence due(Instant now) {
        return with(SequenceState.RETRYING, attempts, now, new Wait(heldBy, heldSince, awaits, awaitsSince));
    }

    /**
     * Returns this sequence without its first letters. The new first letter has no attempts and no cause group, and is due
     * now.
     */
    public ParkedSequence shortened(long newFirst, int newSize, Instant newSince, Instant now) {
        return with(newFirst, last, newSize, newSince)
                .with(SequenceState.RETRYING, 0, now, Wait.NONE)
                .withCauseGroup(null);
    }

    /** Returns this sequence in the cause group of its first letter. */
    public ParkedSequence withCauseOf(DeadLetter firstLetter) {
        Cause cause = firstLetter.cause();
        return withCauseGroup(cause == null ? null : CauseGroup.id(id.component(), cause));
    }

    /**
     * Returns this sequence without one of its letters. If it was the first, the next one is due now.
     *
     * @param next the letter behind it, if there is one
     */
    public ParkedSequence without(DeadLetter letter, @Nullable DeadLetter next, Instant now) {
        return letter.number() == first && next != null
                ? shortened(next.number(), size - 1, next.enqueuedAt(), now).withCauseOf(next)
                : with(first, last, size - 1, since);
    }

    /** Returns this sequence in the same state with other letters. */
    public ParkedSequence with(long newFirst, long newLast, int newSize, Instant newSince) {
        return new ParkedSequence(
                id,
                consumer,
                hash,
                newFirst,
                newLast,
                newSize,
                state,
                attempts,
                nextAttempt,
                newSince,
                heldBy,
                heldSince,
                awaits,
                awaitsSince,
                escalated,
                causeGroup);
    }

    private ParkedSequence withCauseGroup(@Nullable String newCauseGroup) {
        return new ParkedSequence(
                id,
                consumer,
                hash,
                first,
                last,
                size,
                state,
                attempts,
                nextAttempt,
                since,
                heldBy,
                heldSince,
                awaits,
                awaitsSince,
                escalated,
                newCauseGroup);
    }

    private ParkedSequence with(SequenceState newState, int newAttempts, Instant next, Wait wait) {
        return new ParkedSequence(
                id,
                consumer,
                hash,
                first,
                last,
                size,
                newState,
                newAttempts,
                next,
                since,
                wait.heldBy(),
                wait.heldSince(),
                wait.awaits(),
                wait.awaitsSince(),
                escalated,
                causeGroup);
    }

    /** What a sequence waits for besides a time. */
    private record Wait(
            @Nullable String heldBy,
            @Nullable Instant heldSince,
            @Nullable String awaits,
            @Nullable Instant awaitsSince) {

        private static final Wait NONE = new Wait(null, null, null, null);
    }
}

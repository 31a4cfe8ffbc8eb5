package io.holdfast.deadletter;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one letter. A store commits it together with the effect that it reports, so it is accurate even if the
 * replica dies right after the commit.
 *
 * @param component the stable id of the component
 * @param event the id of the parked event
 * @param detail distinguishes cases of one outcome, for example {@link #EVICTED}; null for the usual case
 * @param cause why the letter failed again or was not tried; null for all other outcomes
 * @param appended the number of events that handling the letter has appended
 */
public record LetterOutcome(
        String component, UUID event, Outcome outcome, @Nullable String detail, @Nullable Cause cause, int appended) {

    /** {@link Outcome#DISCARDED} by the enqueue policy or by code, not by an operator. */
    public static final String EVICTED = "evicted";

    /** {@link Outcome#DISCARDED} because the event waited for a handler that was retired. */
    public static final String RETIRED = "retired";

    /** {@link Outcome#APPLIED} by the recovery of the component. */
    public static final String RECOVERED = "recovered";

    /** {@link Outcome#NOT_TRIED} because a letter before it failed. */
    public static final String BLOCKED = "blocked";

    /** {@link Outcome#NOT_TRIED} because the circuit breaker is open. */
    public static final String BREAKER_OPEN = "breaker-open";

    /** {@link Outcome#NOT_TRIED} because the version of the replica cannot handle the event. */
    public static final String NO_HANDLER = "no-handler";

    /** {@link Outcome#NOT_TRIED} before the deadline of the action. */
    public static final String EXPIRED = "expired";

    /** {@link Outcome#NOT_TRIED} because an operator has stopped the action. */
    public static final String STOPPED = "stopped";

    /** {@link Outcome#REFUSED}: a letter is not discarded while its sequence is being replayed. */
    public static final String BEING_REPLAYED = "being-replayed";

    /** {@link Outcome#REFUSED}: only a letter that was discarded can be restored. */
    public static final String NOT_DISCARDED = "not-discarded";

    /** {@link Outcome#REFUSED}: later events of the sequence may have been handled since the letter was discarded. */
    public static final String ORDER_UNKNOWN = "order-unknown";

    /** {@link Outcome#RESTORED} by force, although later events of the sequence may have been handled. */
    public static final String ORDER_BROKEN = "order-broken";

    /** {@link Outcome#REFUSED}: the letter is not parked any more. */
    public static final String NOT_PARKED = "not-parked";

    /** {@link Outcome#REFUSED}: the letter has changed since the operator read it. */
    public static final String STALE = "stale";

    /** {@link Outcome#EDITED}, and the item stays open: the action replays the letter next, and that settles the item. */
    public static final String REPLAYED_NEXT = "replayed-next";

    /** {@link Outcome#REFUSED}: the queue has no room for the letter. */
    public static final String QUEUE_FULL = "queue-full";

    /** The outcome of an action on a letter. */
    public enum Outcome {
        /** The event was handled, and its effects are durable. */
        APPLIED,
        /** The attempt failed, and the letter is still parked. */
        FAILED_AGAIN,
        /** The event was handled before. It did not take effect a second time. */
        ALREADY_APPLIED,
        /** The letter was removed, and its event has no effect. */
        DISCARDED,
        /** A discarded letter was parked again. */
        RESTORED,
        /** The payload of the letter was replaced. If the detail says why not, the requested replay was not tried. */
        EDITED,
        /** A reset removed the letter, because its event is handled again. */
        CLEARED,
        /** The action was rejected. Nothing was changed. */
        REFUSED,
        /** No attempt was made. The letter is unchanged. */
        NOT_TRIED;

        /** Returns whether the letter is no longer parked. */
        public boolean removesLetter() {
            return this == APPLIED || this == ALREADY_APPLIED || this == DISCARDED || this == CLEARED;
        }
    }

    /** Returns whether the letter was edited and the same action replays it next. */
    public boolean isReplayedNext() {
        return outcome == Outcome.EDITED && REPLAYED_NEXT.equals(detail);
    }

    public static LetterOutcome of(DeadLetter letter, Outcome outcome) {
        return of(letter, outcome, null, null);
    }

    public static LetterOutcome of(DeadLetter letter, Outcome outcome, @Nullable String detail, @Nullable Cause cause) {
        return new LetterOutcome(letter.sequence().component(), letter.message().id(), outcome, detail, cause, 0);
    }

    /** Returns the outcome of a letter whose event has taken effect before. */
    public LetterOutcome alreadyApplied() {
        return new LetterOutcome(component, event, Outcome.ALREADY_APPLIED, detail, cause, 0);
    }

    public LetterOutcome withAppended(int events) {
        return new LetterOutcome(component, event, outcome, detail, cause, events);
    }
}

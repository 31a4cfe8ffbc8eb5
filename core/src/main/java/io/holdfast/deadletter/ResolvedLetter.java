package io.holdfast.deadletter;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter that was removed and that operators may have seen, or whose event has no effect. Only a successful automatic
 * retry in a sequence that never needed an operator resolves nothing: its event was never an operator's concern.
 *
 * @param letter the letter as it was when it was removed
 * @param consumer the name of the processor
 * @param causeGroup the cause group of its sequence, or null
 * @param escalated whether its sequence has been PENDING
 * @param detail as {@link LetterOutcome#detail}
 * @param replayCount the number of replays by operators, including the one that succeeded
 * @param action the action whose open item the removal settled, or whose replay has drained the sequence; null if it was
 *     removed without an action
 * @param next the id of the event in the letter behind it when it was discarded; null if there was none, or if it was
 *     not discarded by an operator or by code
 * @param resolvedAt the time of the removal on the store's clock; null until it is stored
 */
public record ResolvedLetter(
        DeadLetter letter,
        String consumer,
        @Nullable String causeGroup,
        boolean escalated,
        Status status,
        @Nullable String detail,
        int replayCount,
        @Nullable String action,
        @Nullable UUID next,
        @Nullable Instant resolvedAt) {

    /** Status of a resolved letter. */
    public enum Status {
        /** The event was handled. */
        REPLAYED,
        /** The event has no effect. */
        DISCARDED,
        /** A reset removed the letter: the event is handled again. Never listed as an entry. */
        CLEARED
    }

    /** @param sequence the sequence before the letter was removed */
    public static ResolvedLetter of(
            DeadLetter letter, ParkedSequence sequence, Status status, @Nullable String detail) {
        return new ResolvedLetter(
                letter,
                sequence.consumer(),
                sequence.causeGroup(),
                sequence.escalated(),
                status,
                detail,
                letter.failedReplays(),
                null,
                null,
                null);
    }

    /** Returns this letter as removed by the replay of an action. */
    public ResolvedLetter replayedBy(String replay) {
        return new ResolvedLetter(
                letter, consumer, causeGroup, escalated, status, detail, replayCount + 1, replay, next, resolvedAt);
    }

    /** Returns this letter as removed by this action; unchanged if the action is null. */
    public ResolvedLetter settledBy(@Nullable String settled) {
        return settled == null
                ? this
                : new ResolvedLetter(
                        letter,
                        consumer,
                        causeGroup,
                        escalated,
                        status,
                        detail,
                        replayCount,
                        settled,
                        next,
                        resolvedAt);
    }

    /** Returns this letter as removed from before another one. */
    ResolvedLetter before(@Nullable DeadLetter behind) {
        return new ResolvedLetter(
                letter,
                consumer,
                causeGroup,
                escalated,
                status,
                detail,
                replayCount,
                action,
                behind == null ? null : behind.message().id(),
                resolvedAt);
    }

    /** Returns the form in which a store keeps this letter. */
    public ResolvedLetter resolvedAt(Instant now) {
        return new ResolvedLetter(
                letter, consumer, causeGroup, escalated, status, detail, replayCount, action, next, now);
    }

    /** Returns the stable id of the component. */
    public String component() {
        return letter.sequence().component();
    }

    /** Returns the id of the event. */
    public UUID event() {
        return letter.message().id();
    }

    /** Returns what an action finds that comes too late for this letter. */
    public LetterOutcome outcome() {
        LetterOutcome.Outcome outcome =
                switch (status) {
                    case REPLAYED -> LetterOutcome.Outcome.ALREADY_APPLIED;
                    case DISCARDED -> LetterOutcome.Outcome.DISCARDED;
                    case CLEARED -> LetterOutcome.Outcome.CLEARED;
                };
        return LetterOutcome.of(letter, outcome, detail, null);
    }
}

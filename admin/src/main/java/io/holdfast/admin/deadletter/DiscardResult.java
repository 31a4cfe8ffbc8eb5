package io.holdfast.admin.deadletter;

import io.holdfast.action.Action.Kind;
import io.holdfast.deadletter.LetterOutcome.Outcome;

/** The result of discarding a letter. */
public enum DiscardResult {
    /** The letter was removed permanently. */
    DISCARDED,
    /** The sequence is being replayed. Nothing was changed. */
    BEING_REPLAYED,
    /** The discard exceeds the timeout and continues. */
    RUNNING,
    /** The deadline of the discard has passed before a replica could start it. Nothing was changed. */
    NOT_TRIED,
    /** No such letter is parked. Nothing was changed. */
    NOT_FOUND;

    /** @param kind the kind of the action that has determined the outcome */
    static DiscardResult of(Kind kind, Outcome outcome) {
        if (kind == Kind.REPLAY || outcome == Outcome.REFUSED) {
            return BEING_REPLAYED;
        }
        return switch (outcome) {
            case DISCARDED -> DISCARDED;
            case NOT_TRIED -> NOT_TRIED;
            default -> NOT_FOUND; // the event was handled, or a reset removed the letter
        };
    }
}

package io.holdfast.deadletter;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a letter was removed that operators had seen, or that has no effect. An automatic retry that succeeds resolves
 * nothing: its event was never an operator's concern.
 *
 * @param component the stable id of the component
 * @param detail as {@link LetterOutcome#detail}
 */
public record ResolvedLetter(String component, UUID event, Status status, @Nullable String detail) {

    /** Status of a resolved letter. */
    public enum Status {
        /** The event was handled. */
        REPLAYED,
        /** The event has no effect. */
        DISCARDED,
        /** A reset removed the letter: the event is handled again. */
        CLEARED
    }

    public static ResolvedLetter of(DeadLetter letter, Status status, @Nullable String detail) {
        return new ResolvedLetter(
                letter.sequence().component(), letter.message().id(), status, detail);
    }

    /** Returns what an action finds that comes too late for this letter. */
    public LetterOutcome outcome() {
        LetterOutcome.Outcome outcome =
                switch (status) {
                    case REPLAYED -> LetterOutcome.Outcome.ALREADY_APPLIED;
                    case DISCARDED -> LetterOutcome.Outcome.DISCARDED;
                    case CLEARED -> LetterOutcome.Outcome.CLEARED;
                };
        return new LetterOutcome(component, event, outcome, detail, null, 0);
    }
}

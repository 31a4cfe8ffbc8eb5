package io.holdfast.action;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.SequenceHash;
import java.util.UUID;

/**
 * One letter of an action.
 *
 * @param consumer the name of the processor
 * @param hash the hash of the sequence; the replica that has claimed its segment runs the action
 */
public record LetterItem(SequenceId sequence, UUID event, String consumer, int hash) implements Action.Item {

    public static LetterItem of(DeadLetter letter, ParkedSequence sequence) {
        return new LetterItem(letter.sequence(), letter.message().id(), sequence.consumer(), sequence.hash());
    }

    /** Creates the item of a letter that is to be restored. */
    public static LetterItem of(ResolvedLetter letter) {
        SequenceId sequence = letter.letter().sequence();
        return new LetterItem(sequence, letter.event(), letter.consumer(), SequenceHash.of(sequence.sequence()));
    }

    /** Returns the text that locks the letter of an event in a component. */
    public static String lock(String component, UUID event) {
        return event + "~" + component;
    }

    public String component() {
        return sequence.component();
    }

    @Override
    public String lock() {
        return lock(component(), event);
    }
}

package io.holdfast.deadletter;

import java.util.List;

/**
 * What a unit changes of parked letters. Only the owner of the segment that a sequence belongs to changes it: a unit with
 * letters has a token advance, and is refused with it.
 *
 * @param added new letters, in the order of their numbers
 * @param replaced letters that were tried again and failed
 * @param removed letters that leave
 * @param sequences as the unit leaves them, each once
 * @param ended sequences of which no letter is left, none of them among {@code sequences}
 */
public record LetterWrites(
        List<DeadLetter> added,
        List<DeadLetter> replaced,
        List<LetterId> removed,
        List<ParkedSequence> sequences,
        List<SequenceId> ended) {

    public static final LetterWrites NONE = new LetterWrites(List.of(), List.of(), List.of(), List.of(), List.of());

    public LetterWrites {
        added = List.copyOf(added);
        replaced = List.copyOf(replaced);
        removed = List.copyOf(removed);
        sequences = List.copyOf(sequences);
        ended = List.copyOf(ended);
    }

    public boolean isEmpty() {
        return added.isEmpty() && replaced.isEmpty() && removed.isEmpty() && sequences.isEmpty() && ended.isEmpty();
    }
}

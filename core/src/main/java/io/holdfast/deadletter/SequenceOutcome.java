package io.holdfast.deadletter;

import java.util.List;

/**
 * What became of a sequence that was replayed.
 *
 * @param drained whether no letter of the sequence is left
 * @param letters the outcomes of its letters, in order; empty if nothing was parked. Those behind a letter that failed
 *     were not tried and are missing, and so are those of a commit whose response was lost
 */
public record SequenceOutcome(boolean drained, List<LetterOutcome> letters) {

    public SequenceOutcome {
        letters = List.copyOf(letters);
    }
}

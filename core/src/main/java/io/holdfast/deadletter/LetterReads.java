package io.holdfast.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads individual sequences and letters. */
public interface LetterReads {

    Optional<ParkedSequence> find(SequenceId sequence);

    /** Returns those of the given sequences that have parked letters, in no particular order. */
    List<ParkedSequence> findSequences(Collection<SequenceId> ids);

    /** Returns up to {@code limit} letters of a sequence in order, starting at a number (inclusive). */
    List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit);

    /** Returns the letter of an event in the queue of a component. */
    Optional<DeadLetter> findLetter(String component, UUID event);
}

package io.holdfast.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What is parked, one by one. */
public interface LetterReads {

    Optional<ParkedSequence> find(SequenceId sequence);

    /** Those of these sequences of which letters are parked, in no order. */
    List<ParkedSequence> findSequences(Collection<SequenceId> ids);

    /** The letters of a sequence, in their order, from a number on, at most {@code limit}. */
    List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit);

    /** The letter of an event in the queue of a component. */
    Optional<DeadLetter> findLetter(String component, UUID event);
}

package io.holdfast.deadletter;

import java.util.List;
import java.util.Optional;

/**
 * The parked letters of all components of a service. Written by the committer alone ({@link LetterWrites}), in the unit
 * that moves the position past them.
 *
 * <p><b>Duty.</b> Letters and sequences are as the last committed unit left them. An event is parked once per component.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined; a call sees what is committed.
 */
public interface DeadLetterStore {

    /**
     * The parked sequences of a share of a processor, by component and sequence.
     *
     * @param number of the segment, see {@link io.holdfast.token.Segments}; 0 with mask 0 for all
     */
    List<ParkedSequence> findSequences(String consumer, int number, int mask);

    Optional<ParkedSequence> find(SequenceId sequence);

    /** The letters of a sequence, in their order, from a number on, at most {@code limit}. */
    List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit);
}

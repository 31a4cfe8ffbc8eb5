package io.holdfast.deadletter;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores the parked letters of all components of a service. The committer writes letters ({@link LetterWrites}) in the
 * unit that advances the position past them. Callers that do not own the segment use {@link #change}.
 *
 * <p><b>Contract.</b> Reads return the state of the last committed unit. An event is parked at most once per component.
 * Counts are exact. The cost of a call depends on the size of its result, not on the number of parked letters.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none; a call sees committed state only.
 */
public interface DeadLetterStore extends LetterReads {

    /**
     * Returns the parked sequences of one segment of a processor, ordered by component and sequence identifier.
     *
     * @param number the segment's number, see {@link io.holdfast.token.Segments}; 0 with mask 0 selects all sequences
     * @param limit the maximum number of sequences
     */
    List<ParkedSequence> findSequences(String consumer, int number, int mask, Set<SequenceState> states, int limit);

    /**
     * Returns the sequences of a component ordered by {@link ParkedSequence#nextAttempt}, then by identifier.
     *
     * @param after the last sequence of the previous page; null for the first page
     */
    List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit);

    /** As {@link #findByNextAttempt}, ordered by {@link ParkedSequence#since}, oldest first. */
    List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit);

    /**
     * As {@link #findByAge} in reverse order, newest first.
     *
     * @param before the last sequence of the previous page; null for the first page
     */
    List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit);

    /** Returns when the oldest first letter of the component's PENDING sequences was parked. */
    Optional<Instant> findOldestPending(String component);

    /**
     * Returns the first letters of many sequences in one query: for each sequence, in order, those whose number is less
     * than {@code most} above its first. Numbers may have gaps, so fewer letters than {@code most} may be returned.
     */
    Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most);

    /**
     * Returns the letters of many sagas in one query: in all components and all states, first in their sequence or parked
     * behind another letter.
     *
     * @param sagaIds the ids as in {@link io.holdfast.event.Metadata#sagaId}; duplicates and unknown ids are ignored
     * @param most the maximum number of letters per saga, at least 1
     * @return the letters by saga id; sagas without letters are missing
     */
    Map<String, SagaLetters> findSagaLetters(Collection<String> sagaIds, int most);

    /** Counts the letters and sequences that are parked for a component. */
    QueueCounts counts(String component);

    /**
     * Changes letters on behalf of a caller that does not own their segment. Raises the token version of every affected
     * segment, so that a concurrent commit of its owner is rejected and the owner reloads the parked sequences. No
     * event can therefore overtake a letter that this call adds.
     *
     * @param change computes the writes from the letters parked at this moment; an empty result changes nothing. Must
     *     be pure and quick, because it runs while the head row is locked
     * @throws DeadLetterQueueOverflowException if the writes exceed the limits that they name
     * @throws io.holdfast.PermanentException if an added event is already parked for its component
     */
    void change(String consumer, Function<LetterReads, LetterWrites> change);
}

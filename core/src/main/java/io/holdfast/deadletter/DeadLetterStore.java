package io.holdfast.deadletter;

import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parked letters of all components of a service. Written by the committer ({@link LetterWrites}), in the unit that moves
 * the position past them, and by {@link #change} for whoever does not own the segment.
 *
 * <p><b>Duty.</b> Letters and sequences are as the last committed unit left them. An event is parked once per component.
 * Counts are exact. No call looks at more than it gives, however much is parked.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes.
 *
 * <p><b>Transaction.</b> None is joined; a call sees what is committed.
 */
public interface DeadLetterStore extends LetterReads {

    /**
     * The parked sequences of a share of a processor, by component and sequence.
     *
     * @param number of the segment, see {@link io.holdfast.token.Segments}; 0 with mask 0 for all
     * @param limit how many at most
     */
    List<ParkedSequence> findSequences(String consumer, int number, int mask, Set<SequenceState> states, int limit);

    /** All of them, whatever they wait for. */
    default List<ParkedSequence> findSequences(String consumer, int number, int mask) {
        return findSequences(consumer, number, mask, EnumSet.allOf(SequenceState.class), Integer.MAX_VALUE);
    }

    /**
     * The sequences of a component in the order of their turns: by {@link ParkedSequence#nextAttempt}, then by identifier.
     *
     * @param after where an earlier call ended; null for the first ones
     */
    List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit);

    /** As {@link #findByNextAttempt}, by {@link ParkedSequence#since}: whose head was parked first. */
    List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit);

    /**
     * As {@link #findByAge}, the other way round: whose head was parked last comes first.
     *
     * @param before where an earlier call ended; null for the last ones
     */
    List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit);

    /** When the oldest head was parked among the sequences that wait for a person. */
    Optional<Instant> findOldestPending(String component);

    /**
     * The first letters of many sequences at once: of each those numbered from its head to less than {@code most} beyond,
     * in their order.
     */
    Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most);

    /** How much is parked for a component. */
    QueueCounts counts(String component);

    /**
     * Changes what is parked beside the owner of its segment. The tokens of the segments of all sequences that are changed get
     * a new version, so that what their owner is about to commit is refused, and it looks again at what is parked: nothing
     * overtakes what was added.
     *
     * @param change what to write, given what is parked at this moment; nothing happens if that is nothing. It must be pure
     *     and quick, since the head of the log is held meanwhile
     * @throws DeadLetterQueueOverflowException if that would be beyond the limits that it names
     * @throws io.holdfast.PermanentException if one of the added events is parked already by its component
     */
    void change(String consumer, Function<LetterReads, LetterWrites> change);
}

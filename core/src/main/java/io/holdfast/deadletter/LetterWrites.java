package io.holdfast.deadletter;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is changed of parked letters. A unit with letters has a token advance, since a sequence is changed by the owner of its
 * segment, and is refused with it. What others change goes by {@link DeadLetterStore#change}.
 *
 * @param added new letters, in the order of their numbers
 * @param replaced letters that were tried again and failed
 * @param removed letters that leave
 * @param sequences as the unit leaves them, each once
 * @param removedSequences sequences of which no letter is left, none of them among {@code sequences}
 * @param limits of queues, by component: what would grow beyond them is refused as a whole. A queue that is not named has
 *     none
 */
public record LetterWrites(
        List<DeadLetter> added,
        List<DeadLetter> replaced,
        List<LetterId> removed,
        List<ParkedSequence> sequences,
        List<SequenceId> removedSequences,
        Map<String, QueueLimits> limits) {

    public static final LetterWrites NONE = new LetterWrites(List.of(), List.of(), List.of(), List.of(), List.of());

    public LetterWrites {
        added = List.copyOf(added);
        replaced = List.copyOf(replaced);
        removed = List.copyOf(removed);
        sequences = List.copyOf(sequences);
        removedSequences = List.copyOf(removedSequences);
        limits = Map.copyOf(limits);
    }

    /** Without limits. */
    public LetterWrites(
            List<DeadLetter> added,
            List<DeadLetter> replaced,
            List<LetterId> removed,
            List<ParkedSequence> sequences,
            List<SequenceId> ended) {
        this(added, replaced, removed, sequences, ended, Map.of());
    }

    public LetterWrites withLimits(Map<String, QueueLimits> newLimits) {
        return new LetterWrites(added, replaced, removed, sequences, removedSequences, newLimits);
    }

    /** The sequences of which something is changed. */
    public Set<SequenceId> touched() {
        Set<SequenceId> touched = new LinkedHashSet<>(removedSequences);
        added.forEach(letter -> touched.add(letter.sequence()));
        replaced.forEach(letter -> touched.add(letter.sequence()));
        removed.forEach(letter -> touched.add(letter.sequence()));
        sequences.forEach(sequence -> touched.add(sequence.id()));
        return touched;
    }

    public boolean isEmpty() {
        return added.isEmpty()
                && replaced.isEmpty()
                && removed.isEmpty()
                && sequences.isEmpty()
                && removedSequences.isEmpty();
    }
}

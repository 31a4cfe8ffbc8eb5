package io.holdfast.deadletter;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes to parked letters, as part of a commit unit. Only the owner of a segment changes its sequences, so a unit
 * with letters also contains a token advance and is rejected together with it. Other callers use
 * {@link DeadLetterStore#change}.
 *
 * @param added the new letters, in the order of their numbers
 * @param replaced the letters whose retry or replay failed, in their new state
 * @param removed the letters to remove
 * @param sequences the new state of the changed sequences, each once
 * @param removedSequences the sequences that have no letter left; disjoint from {@code sequences}
 * @param limits the queue limits by component; writes that exceed one are rejected as a whole. A component without an
 *     entry has no limit
 * @param outcomes what becomes of letters that were attempted or removed, each once; settles the open items of actions
 * @param resolved the removed letters of which a record is kept
 * @param originals the payloads that edited letters had before
 */
public record LetterWrites(
        List<DeadLetter> added,
        List<DeadLetter> replaced,
        List<LetterId> removed,
        List<ParkedSequence> sequences,
        List<SequenceId> removedSequences,
        Map<String, QueueLimits> limits,
        List<LetterOutcome> outcomes,
        List<ResolvedLetter> resolved,
        List<LetterOriginal> originals) {

    public static final LetterWrites NONE = new LetterWrites(List.of(), List.of(), List.of(), List.of(), List.of());

    public LetterWrites {
        added = List.copyOf(added);
        replaced = List.copyOf(replaced);
        removed = List.copyOf(removed);
        sequences = List.copyOf(sequences);
        removedSequences = List.copyOf(removedSequences);
        limits = Map.copyOf(limits);
        outcomes = List.copyOf(outcomes);
        resolved = List.copyOf(resolved);
        originals = List.copyOf(originals);
    }

    /** Creates writes without limits and outcomes. */
    public LetterWrites(
            List<DeadLetter> added,
            List<DeadLetter> replaced,
            List<LetterId> removed,
            List<ParkedSequence> sequences,
            List<SequenceId> removedSequences) {
        this(added, replaced, removed, sequences, removedSequences, Map.of(), List.of(), List.of(), List.of());
    }

    public LetterWrites withLimits(Map<String, QueueLimits> newLimits) {
        return new LetterWrites(
                added, replaced, removed, sequences, removedSequences, newLimits, outcomes, resolved, originals);
    }

    public LetterWrites withOutcomes(List<LetterOutcome> newOutcomes) {
        return new LetterWrites(
                added, replaced, removed, sequences, removedSequences, limits, newOutcomes, resolved, originals);
    }

    public LetterWrites withResolved(List<ResolvedLetter> newResolved) {
        return new LetterWrites(
                added, replaced, removed, sequences, removedSequences, limits, outcomes, newResolved, originals);
    }

    public LetterWrites withOriginals(List<LetterOriginal> newOriginals) {
        return new LetterWrites(
                added, replaced, removed, sequences, removedSequences, limits, outcomes, resolved, newOriginals);
    }

    /** Returns the ids of all affected sequences. */
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
                && removedSequences.isEmpty()
                && outcomes.isEmpty()
                && resolved.isEmpty();
    }
}

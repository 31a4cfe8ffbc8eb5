package io.holdfast.jdbc;

import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges the letter writes of a batch's units, so that each table needs one statement of each kind. A later unit may
 * change or remove what an earlier one parks.
 */
final class MergedLetterWrites {

    private final Map<LetterId, DeadLetter> added = new LinkedHashMap<>();
    private final Map<LetterId, DeadLetter> replaced = new LinkedHashMap<>();
    private final Set<LetterId> removed = new LinkedHashSet<>();
    private final Map<SequenceId, ParkedSequence> sequences = new LinkedHashMap<>();
    private final Set<SequenceId> removedSequences = new LinkedHashSet<>();
    private final List<LetterOutcome> outcomes = new ArrayList<>();
    private final List<ResolvedLetter> resolved = new ArrayList<>();
    private final List<LetterOriginal> originals = new ArrayList<>();

    static MergedLetterWrites of(List<UnitWrites> units) {
        MergedLetterWrites changes = new MergedLetterWrites();
        units.forEach(unit -> changes.add(unit.letters()));
        return changes;
    }

    static MergedLetterWrites of(LetterWrites writes) {
        MergedLetterWrites changes = new MergedLetterWrites();
        changes.add(writes);
        return changes;
    }

    private void add(LetterWrites writes) {
        writes.removed().forEach(this::remove);
        writes.removedSequences().forEach(this::removeSequence);
        writes.added().forEach(letter -> added.put(letter.id(), letter));
        writes.replaced().forEach(this::replace);
        outcomes.addAll(writes.outcomes());
        resolved.addAll(writes.resolved());
        originals.addAll(writes.originals());
        writes.sequences().forEach(sequence -> {
            removedSequences.remove(sequence.id());
            sequences.put(sequence.id(), sequence);
        });
    }

    /** @return the merged writes, with each letter and sequence once */
    LetterWrites merged() {
        return new LetterWrites(
                        List.copyOf(added.values()),
                        List.copyOf(replaced.values()),
                        List.copyOf(removed),
                        List.copyOf(sequences.values()),
                        List.copyOf(removedSequences))
                .withOutcomes(outcomes)
                .withResolved(resolved)
                .withOriginals(originals);
    }

    private void remove(LetterId letter) {
        replaced.remove(letter);
        if (added.remove(letter) == null) {
            removed.add(letter);
        }
    }

    private void replace(DeadLetter letter) {
        if (added.containsKey(letter.id())) {
            added.put(letter.id(), letter);
        } else {
            replaced.put(letter.id(), letter);
        }
    }

    private void removeSequence(SequenceId sequence) {
        sequences.remove(sequence);
        removedSequences.add(sequence);
    }
}

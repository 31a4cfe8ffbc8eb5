package io.holdfast.admin;

import io.holdfast.admin.NewestSequences.ComponentSequence;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Letters of one sequence that are wanted.
 *
 * @param from how many of the sequence come before them
 */
record LetterRange(ComponentSequence found, int from, int count) {

    /** Sequences of so many letters are read together; most have one. */
    private static final int SHORT_SEQUENCE_SIZE = 4;

    /** A letter and its place in the sequence. */
    record PositionedLetter(ComponentSequence found, DeadLetter letter, int position) {

        DeadLetterEntry entry() {
            return DeadLetterEntry.of(found.component(), found.sequence(), letter, position);
        }
    }

    /** Reads letters: those of short sequences at once, the others one sequence after another. */
    static List<PositionedLetter> read(DeadLetterStore store, List<LetterRange> wanted) {
        List<ParkedSequence> together = wanted.stream()
                .filter(listed -> listed.from + listed.count <= SHORT_SEQUENCE_SIZE)
                .map(listed -> listed.found.sequence())
                .toList();
        Map<SequenceId, List<DeadLetter>> first = store.findFirstLetters(together, SHORT_SEQUENCE_SIZE);
        List<PositionedLetter> read = new ArrayList<>();
        for (LetterRange listed : wanted) {
            SequenceId id = listed.found.sequence().id();
            List<DeadLetter> letters = listed.letters(store, first.getOrDefault(id, List.of()));
            for (int i = 0; i < letters.size(); i++) {
                read.add(new PositionedLetter(listed.found, letters.get(i), listed.from + i + 1));
            }
        }
        return read;
    }

    private List<DeadLetter> letters(DeadLetterStore store, List<DeadLetter> first) {
        ParkedSequence sequence = found.sequence();
        if (first.size() >= from + count) {
            return first.subList(from, from + count);
        }
        boolean hasGaps = sequence.last() - sequence.first() + 1 != sequence.size();
        if (!hasGaps) {
            return store.findLetters(sequence.id(), sequence.first() + from, count);
        }
        List<DeadLetter> all = store.findLetters(sequence.id(), sequence.first(), from + count);
        return all.subList(Math.min(from, all.size()), all.size());
    }
}

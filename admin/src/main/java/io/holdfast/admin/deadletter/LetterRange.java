package io.holdfast.admin.deadletter;

import io.holdfast.admin.deadletter.NewestSequences.ComponentSequence;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A range of the letters of one sequence.
 *
 * @param from the number of letters of the sequence before the range
 */
record LetterRange(ComponentSequence found, int from, int count) {

    /** Ranges that end within this many letters are read in one call; most sequences have one letter. */
    private static final int SHORT_SEQUENCE_SIZE = 4;

    /** A letter with its position in the sequence, from 1. */
    record PositionedLetter(ComponentSequence found, DeadLetter letter, int position) {

        DeadLetterEntry entry() {
            return DeadLetterEntry.of(found.component(), found.sequence(), letter, position);
        }
    }

    /** Reads the letters of short sequences in one call, and those of the others one sequence at a time. */
    static List<PositionedLetter> read(DeadLetterStore store, List<LetterRange> ranges) {
        List<ParkedSequence> together = ranges.stream()
                .filter(range -> range.from + range.count <= SHORT_SEQUENCE_SIZE)
                .map(range -> range.found.sequence())
                .toList();
        Map<SequenceId, List<DeadLetter>> first = store.findFirstLetters(together, SHORT_SEQUENCE_SIZE);
        List<PositionedLetter> read = new ArrayList<>();
        for (LetterRange range : ranges) {
            SequenceId id = range.found.sequence().id();
            List<DeadLetter> letters = range.letters(store, first.getOrDefault(id, List.of()));
            for (int i = 0; i < letters.size(); i++) {
                read.add(new PositionedLetter(range.found, letters.get(i), range.from + i + 1));
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

package io.holdfast.deadletter;

import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes a letter without effect, on behalf of an operator or of code. */
public final class LetterRemoval {

    private LetterRemoval() {}

    /**
     * Computes the removal of a letter. The letter behind it is recorded, because a restore compares it with the
     * first one at that time.
     *
     * @param sequence the sequence that the letter is parked in
     * @param detail as {@link LetterOutcome#detail}
     */
    public static RepairResult of(
            LetterReads parked, ParkedSequence sequence, DeadLetter letter, @Nullable String detail, Instant now) {
        DeadLetter next = next(parked, letter);
        List<LetterId> removed = List.of(letter.id());
        LetterWrites writes = sequence.size() == 1
                ? new LetterWrites(List.of(), List.of(), removed, List.of(), List.of(sequence.id()))
                : new LetterWrites(
                        List.of(), List.of(), removed, List.of(sequence.without(letter, next, now)), List.of());
        ResolvedLetter resolved = ResolvedLetter.of(letter, sequence, ResolvedLetter.Status.DISCARDED, detail)
                .before(next);
        return RepairResult.of(writes.withOutcomes(List.of(LetterOutcome.of(letter, Outcome.DISCARDED, detail, null)))
                        .withResolved(List.of(resolved)))
                .withNewEntries(sequence.escalated() ? 0 : 1);
    }

    private static @Nullable DeadLetter next(LetterReads parked, DeadLetter letter) {
        return parked.findLetters(letter.sequence(), letter.number() + 1, 1).stream()
                .findFirst()
                .orElse(null);
    }
}

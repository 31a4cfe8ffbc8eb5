package io.holdfast.commit.group;

import io.holdfast.action.Settlement;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/**
 * Everything that becomes durable together or not at all: parts in the order in which they are decided, the advance
 * of a segment's token, and changes of letters.
 *
 * @param letters empty unless there is a token advance
 * @param afterReset see {@link #asAfterReset}
 * @param settlements the outcomes of the operations that the unit carries out. If one of their items is settled, the unit
 *     fails with an {@link io.holdfast.action.AlreadySettledException}; this also detects a repeated unit
 */
public record CommitUnit(
        List<Part> parts,
        Optional<TokenAdvance> tokenAdvance,
        LetterWrites letters,
        boolean afterReset,
        List<Settlement> settlements) {

    public CommitUnit {
        parts = List.copyOf(parts);
        settlements = List.copyOf(settlements);
        if (!letters.isEmpty() && tokenAdvance.isEmpty()) {
            throw new IllegalArgumentException(
                    "only the owner of a segment changes its letters, but the unit has no token advance");
        }
    }

    public static CommitUnit of(Part part) {
        return of(List.of(part));
    }

    public static CommitUnit of(List<Part> parts) {
        return new CommitUnit(parts, Optional.empty(), LetterWrites.NONE, false, List.of());
    }

    public static CommitUnit of(List<Part> parts, TokenAdvance tokenAdvance) {
        return of(parts, tokenAdvance, LetterWrites.NONE);
    }

    public static CommitUnit of(List<Part> parts, TokenAdvance tokenAdvance, LetterWrites letters) {
        return new CommitUnit(parts, Optional.of(tokenAdvance), letters, false, List.of());
    }

    /**
     * Returns the same unit, of a processor that was reset. If the events of a part exist, they stay as they are, and the
     * part's rows are updated again: they must be, and the components of such a processor have declared that they can
     * be. Otherwise, existing events prove that a part is done.
     */
    public CommitUnit asAfterReset() {
        return new CommitUnit(repeatableParts(), tokenAdvance, letters, true, settlements);
    }

    /** Returns the same unit, which also settles the item of an operation. */
    public CommitUnit settling(Settlement settlement) {
        return new CommitUnit(parts, tokenAdvance, letters, afterReset, List.of(settlement));
    }

    CommitUnit asRepeatable() {
        return new CommitUnit(repeatableParts(), tokenAdvance, letters, afterReset, settlements);
    }

    private List<Part> repeatableParts() {
        return parts.stream().map(Part::asRepeatable).toList();
    }
}

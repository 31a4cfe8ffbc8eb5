package io.holdfast.commit;

import io.holdfast.deadletter.LetterWrites;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/**
 * Everything that becomes durable together or not at all: parts in the order in which they are decided, the advance
 * of a segment's token, and changes of letters.
 *
 * @param letters empty unless there is a token advance
 */
public record CommitUnit(List<Part> parts, Optional<TokenAdvance> tokenAdvance, LetterWrites letters) {

    public CommitUnit {
        parts = List.copyOf(parts);
        if (!letters.isEmpty() && tokenAdvance.isEmpty()) {
            throw new IllegalArgumentException(
                    "only the owner of a segment changes its letters, but the unit has no token advance");
        }
    }

    public static CommitUnit of(Part part) {
        return new CommitUnit(List.of(part), Optional.empty(), LetterWrites.NONE);
    }

    public static CommitUnit of(List<Part> parts, TokenAdvance tokenAdvance) {
        return of(parts, tokenAdvance, LetterWrites.NONE);
    }

    public static CommitUnit of(List<Part> parts, TokenAdvance tokenAdvance, LetterWrites letters) {
        return new CommitUnit(parts, Optional.of(tokenAdvance), letters);
    }

    CommitUnit asRepeatable() {
        return new CommitUnit(parts.stream().map(Part::asRepeatable).toList(), tokenAdvance, letters);
    }
}

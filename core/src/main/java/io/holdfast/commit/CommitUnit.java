package io.holdfast.commit;

import io.holdfast.deadletter.LetterWrites;
import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/**
 * Everything that must become durable together: parts, in the order in which they are decided, the position that they
 * bring a consumer to, and what is parked. All or nothing.
 *
 * @param letters none without a token advance
 */
public record CommitUnit(List<Part> parts, Optional<TokenAdvance> tokenAdvance, LetterWrites letters) {

    public CommitUnit {
        parts = List.copyOf(parts);
        if (!letters.isEmpty() && tokenAdvance.isEmpty()) {
            throw new IllegalArgumentException(
                    "letters are changed only by the owner of their segment, but the unit has" + " no token advance");
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

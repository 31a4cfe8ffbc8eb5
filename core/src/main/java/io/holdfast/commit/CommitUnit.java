package io.holdfast.commit;

import io.holdfast.token.TokenAdvance;
import java.util.List;
import java.util.Optional;

/**
 * Everything that must become durable together: parts, in the order in which they are decided, and the position that
 * they bring a consumer to. All or nothing.
 */
public record CommitUnit(List<Part> parts, Optional<TokenAdvance> tokenAdvance) {

    public CommitUnit {
        parts = List.copyOf(parts);
    }

    public static CommitUnit of(Part part) {
        return new CommitUnit(List.of(part), Optional.empty());
    }

    public static CommitUnit of(List<Part> parts, TokenAdvance tokenAdvance) {
        return new CommitUnit(parts, Optional.of(tokenAdvance));
    }

    CommitUnit asRepeatable() {
        return new CommitUnit(parts.stream().map(Part::asRepeatable).toList(), tokenAdvance);
    }
}

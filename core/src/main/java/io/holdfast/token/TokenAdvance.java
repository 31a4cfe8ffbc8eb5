package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.Map;
import java.util.Set;

/**
 * A step of a token, part of the unit whose effects it covers. It is refused, and the unit with it, if the claim is not
 * the newest of its segment or the token has moved from {@code fromVersion}.
 *
 * @param fromVersion the version of the token that the step starts from; the step makes it one higher
 * @param positions by stream, only those that change
 * @param marks all that remain
 */
public record TokenAdvance(TokenClaim claim, long fromVersion, Map<String, StreamPosition> positions, Set<Mark> marks) {

    public TokenAdvance {
        positions = Map.copyOf(positions);
        marks = Set.copyOf(marks);
    }

    /** Without marks. */
    public TokenAdvance(TokenClaim claim, long fromVersion, Map<String, StreamPosition> positions) {
        this(claim, fromVersion, positions, Set.of());
    }
}

package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.Map;
import java.util.Set;

/**
 * Advances a token, in the same commit unit as the effects that it covers. The unit is rejected if the claim is stale
 * or the token is no longer at {@code fromVersion}.
 *
 * @param fromVersion the token version before the advance
 * @param toVersion the token version after it, which is higher
 * @param positions the new positions by stream; unchanged streams are omitted
 * @param marks all marks after the advance; they replace the previous ones
 */
public record TokenAdvance(
        TokenClaim claim, long fromVersion, long toVersion, Map<String, StreamPosition> positions, Set<Mark> marks) {

    public TokenAdvance {
        positions = Map.copyOf(positions);
        marks = Set.copyOf(marks);
    }
}

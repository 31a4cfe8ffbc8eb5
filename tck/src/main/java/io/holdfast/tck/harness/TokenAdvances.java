package io.holdfast.tck.harness;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.Mark;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import java.util.Map;
import java.util.Set;

/** Creates advances by one version, so that a test knows the versions of consecutive ones. */
public final class TokenAdvances {

    private TokenAdvances() {}

    public static TokenAdvance next(TokenClaim claim, long fromVersion, Map<String, StreamPosition> positions) {
        return next(claim, fromVersion, positions, Set.of());
    }

    public static TokenAdvance next(
            TokenClaim claim, long fromVersion, Map<String, StreamPosition> positions, Set<Mark> marks) {
        return new TokenAdvance(claim, fromVersion, fromVersion + 1, positions, marks);
    }
}

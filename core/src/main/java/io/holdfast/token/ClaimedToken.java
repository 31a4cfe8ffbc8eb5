package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A token and who may advance it, as a store keeps them.
 *
 * @param fence of the newest claim
 * @param owner of the newest claim, or null if it was released
 */
public record ClaimedToken(Token token, long fence, @Nullable String owner) {

    /** Whether the claim is the newest, and was not released. */
    public boolean isClaimedBy(TokenClaim claim) {
        return owner != null && owner.equals(claim.owner()) && fence == claim.fence();
    }

    /** One version further; streams that are not named stay where they are. */
    public ClaimedToken advanced(TokenAdvance advance) {
        Map<String, StreamPosition> positions = new HashMap<>(token.positions());
        positions.putAll(advance.positions());
        return with(new Token(token.segment(), token.version() + 1, positions, advance.marks(), token.setup()));
    }

    /** The same token with positions of streams that it lacks. */
    public ClaimedToken withMissing(Map<String, StreamPosition> start) {
        Map<String, StreamPosition> positions = new HashMap<>(start);
        positions.putAll(token.positions());
        return with(new Token(token.segment(), token.version(), positions, token.marks(), token.setup()));
    }

    /** Another state of the token under the same claim. */
    public ClaimedToken with(Token changed) {
        return new ClaimedToken(changed, fence, owner);
    }

    /** Free, so that the newest claim cannot commit any more. */
    public ClaimedToken released() {
        return new ClaimedToken(token, fence, null);
    }
}

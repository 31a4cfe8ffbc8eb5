package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A token with its newest claim, as stored.
 *
 * @param fence the fencing token of the newest claim
 * @param owner the owner of the newest claim, or null if it was released
 */
public record ClaimedToken(Token token, long fence, @Nullable String owner) {

    /** @return whether the claim is the newest and was not released */
    public boolean isClaimedBy(TokenClaim claim) {
        return owner != null && owner.equals(claim.owner()) && fence == claim.fence();
    }

    /** As {@link Token#advanced}, under the same claim. */
    public ClaimedToken advanced(TokenAdvance advance) {
        return with(token.advanced(advance));
    }

    /** Returns this token with start positions for the streams that it lacks. */
    public ClaimedToken withMissing(Map<String, StreamPosition> start) {
        return with(token.withMissing(start));
    }

    /** Returns another state of the token under the same claim. */
    public ClaimedToken with(Token changed) {
        return new ClaimedToken(changed, fence, owner);
    }

    /** Returns this token without an owner, so that its newest claim can no longer commit. */
    public ClaimedToken released() {
        return new ClaimedToken(token, fence, null);
    }
}

package io.holdfast.memory;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.worker.MonotonicTime;
import java.util.Map;

/** A token and its lease. */
record LeasedToken(ClaimedToken claimed, MonotonicTime leaseEnd) {

    static LeasedToken unclaimed(Token token) {
        return new LeasedToken(new ClaimedToken(token, 0, null), MonotonicTime.MIN);
    }

    Token token() {
        return claimed.token();
    }

    Segment segment() {
        return claimed.token().segment();
    }

    boolean isClaimableBy(String candidate, MonotonicTime now) {
        String owner = claimed.owner();
        return owner == null || owner.equals(candidate) || isExpired(now);
    }

    /** Returns the token as other replicas see it: unclaimed once the lease has expired. */
    ClaimedToken asSeenAt(MonotonicTime now) {
        return isExpired(now) ? claimed.released() : claimed;
    }

    boolean isAt(TokenClaim claim, long version) {
        return claimed.isClaimedBy(claim) && token().version() == version;
    }

    LeasedToken claimedBy(String owner, MonotonicTime end) {
        return new LeasedToken(new ClaimedToken(claimed.token(), claimed.fence() + 1, owner), end);
    }

    LeasedToken renewedUntil(MonotonicTime end) {
        return new LeasedToken(claimed, end);
    }

    LeasedToken released() {
        return new LeasedToken(claimed.released(), MonotonicTime.MIN);
    }

    LeasedToken with(Token changed) {
        return new LeasedToken(claimed.with(changed), leaseEnd);
    }

    LeasedToken withMissing(Map<String, StreamPosition> start) {
        return new LeasedToken(claimed.withMissing(start), leaseEnd);
    }

    private boolean isExpired(MonotonicTime now) {
        return !now.isBefore(leaseEnd);
    }
}

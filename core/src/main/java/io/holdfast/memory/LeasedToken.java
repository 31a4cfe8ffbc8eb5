package io.holdfast.memory;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.HeldToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import java.time.Instant;
import java.util.Map;

/** A token and its lease. */
record LeasedToken(HeldToken held, Instant leaseEnd) {

    static LeasedToken free(Token token) {
        return new LeasedToken(new HeldToken(token, 0, null), Instant.MIN);
    }

    Token token() {
        return held.token();
    }

    Segment segment() {
        return held.token().segment();
    }

    boolean isFreeFor(String candidate, Instant now) {
        String owner = held.owner();
        return owner == null || owner.equals(candidate) || isExpired(now);
    }

    /** What others are to see of it: an expired lease is none. */
    HeldToken seen(Instant now) {
        return isExpired(now) ? held.freed() : held;
    }

    boolean isAt(TokenClaim claim, long version) {
        return held.isHeldUnder(claim) && token().version() == version;
    }

    LeasedToken claimedBy(String owner, Instant end) {
        return new LeasedToken(new HeldToken(held.token(), held.fence() + 1, owner), end);
    }

    LeasedToken until(Instant end) {
        return new LeasedToken(held, end);
    }

    LeasedToken freed() {
        return new LeasedToken(held.freed(), Instant.MIN);
    }

    LeasedToken with(Token changed) {
        return new LeasedToken(held.with(changed), leaseEnd);
    }

    LeasedToken withMissing(Map<String, StreamPosition> start) {
        return new LeasedToken(held.withMissing(start), leaseEnd);
    }

    private boolean isExpired(Instant now) {
        return !now.isBefore(leaseEnd);
    }
}

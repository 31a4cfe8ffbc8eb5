package io.holdfast.worker;

import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claims, renews and releases one segment for one worker, and detects when its lease is lost. Not thread-safe.
 */
public final class SegmentLease {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    /** Every commit wakes a waiting worker. This limits how often it queries the store. */
    private static final Duration CLAIM_RETRY_INTERVAL = Duration.ofSeconds(1);

    private final TokenStore tokens;
    private final Segment segment;
    private final String owner;
    private final Duration lease;
    private final MonotonicClock clock;
    private @Nullable TokenClaim claim;
    private MonotonicTime renewAt = MonotonicTime.MIN;
    private MonotonicTime nextClaimAt = MonotonicTime.MIN;

    /**
     * @param owner the worker's unique name; two workers with the same name would take the segment from each other
     * @param clock determines only when to renew; the store's clock decides when a lease expires
     */
    public SegmentLease(TokenStore tokens, Segment segment, String owner, Duration lease, Clock clock) {
        this.tokens = tokens;
        this.segment = segment;
        this.owner = owner;
        this.lease = lease;
        this.clock = MonotonicClock.of(clock);
    }

    /**
     * Claims the segment, or renews the lease when it is due. The segment must exist.
     *
     * @return the claim; empty while another worker owns the segment
     */
    public Optional<TokenClaim> claimOrRenew() {
        TokenClaim current = claim;
        if (clock.time().isBefore(current != null ? renewAt : nextClaimAt)) {
            return Optional.ofNullable(current);
        }
        if (current == null || tokens.renew(List.of(current), lease).isEmpty()) {
            current = tokens.claim(segment, owner, lease).orElse(null);
        }
        claim = current;
        renewAt = clock.time().plus(retryAfter());
        nextClaimAt = current != null ? MonotonicTime.MIN : clock.time().plus(CLAIM_RETRY_INTERVAL);
        return Optional.ofNullable(current);
    }

    /** @return whether {@link #claimOrRenew} would try to claim the segment now */
    public boolean isClaimDue() {
        return claim == null && !clock.time().isBefore(nextClaimAt);
    }

    /** Returns the delay before the lease is renewed, or before another attempt to claim the segment. */
    public Duration retryAfter() {
        return lease.dividedBy(3);
    }

    /** Drops a claim that turned out to be lost. */
    public void invalidate() {
        claim = null;
    }

    /** Releases the segment, so that another worker need not wait for the lease to expire. */
    public void release() {
        if (claim != null) {
            tokens.release(claim);
            claim = null;
        }
    }
}

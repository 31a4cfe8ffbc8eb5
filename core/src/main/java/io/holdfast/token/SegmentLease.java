package io.holdfast.token;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One worker's hold on a segment: claims it when it can, renews it in time, notices when it is lost. For one thread.
 */
public final class SegmentLease {

    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);

    /** Whoever waits is woken by every commit; asking each time would make the store busy with it. */
    private static final Duration CLAIM_RETRY_INTERVAL = Duration.ofSeconds(1);

    private final TokenStore tokens;
    private final Segment segment;
    private final String owner;
    private final Duration lease;
    private final Clock clock;
    private @Nullable TokenClaim claim;
    private Instant renewAt = Instant.MIN;
    private Instant nextClaimAt = Instant.MIN;

    /**
     * @param owner unique to this worker: two workers with one name would take the segment from each other
     * @param clock only for when to renew; how long a lease lasts is the store's to say
     */
    public SegmentLease(TokenStore tokens, Segment segment, String owner, Duration lease, Clock clock) {
        this.tokens = tokens;
        this.segment = segment;
        this.owner = owner;
        this.lease = lease;
        this.clock = clock;
    }

    /** The claim, claimed or renewed if need be; empty while another has it. The segment must exist. */
    public Optional<TokenClaim> claimOrRenew() {
        TokenClaim current = claim;
        if (clock.instant().isBefore(current != null ? renewAt : nextClaimAt)) {
            return Optional.ofNullable(current);
        }
        if (current == null || tokens.renew(List.of(current), lease).isEmpty()) {
            current = tokens.claim(segment, owner, lease).orElse(null);
        }
        claim = current;
        renewAt = clock.instant().plus(retryAfter());
        nextClaimAt = current != null ? Instant.MIN : clock.instant().plus(CLAIM_RETRY_INTERVAL);
        return Optional.ofNullable(current);
    }

    /** Whether {@link #claimOrRenew} would try to claim the segment now. */
    public boolean isClaimDue() {
        return claim == null && !clock.instant().isBefore(nextClaimAt);
    }

    /** How long to wait before asking again for a segment that another has, or renewing one's own. */
    public Duration retryAfter() {
        return lease.dividedBy(3);
    }

    /** Forgets a claim that turned out to be lost. */
    public void invalidate() {
        claim = null;
    }

    /** Gives the segment back, so that another need not wait for the lease to expire. */
    public void release() {
        if (claim != null) {
            tokens.release(claim);
            claim = null;
        }
    }
}

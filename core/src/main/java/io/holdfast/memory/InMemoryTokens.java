package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and their leases. Claims change only under the head, so that a fence which was right when a unit was checked is
 * right when it commits.
 */
final class InMemoryTokens implements TokenStore {

    private final InMemoryHead head;
    private final Clock clock;
    private final CommitPoint.Observer points;
    private final Map<Segment, Held> segments = new HashMap<>();

    InMemoryTokens(InMemoryHead head, Clock clock, CommitPoint.Observer points) {
        this.head = head;
        this.clock = clock;
        this.points = points;
    }

    @Override
    public Token initialize(Segment segment, Map<String, StreamPosition> start) {
        head.holding(() -> points.pass(CommitPoint.TOKEN_INITIALIZE, () -> {
            synchronized (this) {
                segments.merge(segment, Held.fresh(segment, start), (known, fresh) -> known.withMissing(start));
            }
        }));
        return find(segment).orElseThrow();
    }

    @Override
    public synchronized Optional<Token> find(Segment segment) {
        return Optional.ofNullable(segments.get(segment)).map(Held::token);
    }

    @Override
    public Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        List<TokenClaim> claims = new ArrayList<>();
        head.holding(() -> points.pass(
                CommitPoint.TOKEN_CLAIM, () -> take(segment, owner, lease).ifPresent(claims::add)));
        return claims.stream().findFirst();
    }

    private synchronized Optional<TokenClaim> take(Segment segment, String owner, Duration lease) {
        Held held = segments.get(segment);
        Instant now = clock.instant();
        if (held == null || !held.isFreeFor(owner, now)) {
            return Optional.empty();
        }
        Held taken = held.claimedBy(owner, now.plus(lease));
        segments.put(segment, taken);
        return Optional.of(new TokenClaim(segment, owner, taken.fence()));
    }

    @Override
    public boolean renew(TokenClaim claim, Duration lease) {
        boolean[] renewed = new boolean[1];
        points.pass(CommitPoint.TOKEN_RENEW, () -> renewed[0] = extend(claim, lease));
        return renewed[0];
    }

    private synchronized boolean extend(TokenClaim claim, Duration lease) {
        Held held = segments.get(claim.segment());
        if (held == null || !held.isHeldUnder(claim)) {
            return false;
        }
        segments.put(claim.segment(), held.until(clock.instant().plus(lease)));
        return true;
    }

    @Override
    public void release(TokenClaim claim) {
        head.holding(() -> points.pass(CommitPoint.TOKEN_RELEASE, () -> {
            synchronized (this) {
                segments.computeIfPresent(
                        claim.segment(), (segment, held) -> held.isHeldUnder(claim) ? held.free() : held);
            }
        }));
    }

    synchronized Optional<Held> current(Segment segment) {
        return Optional.ofNullable(segments.get(segment));
    }

    /** Stores an advance. A lease may have been renewed since the advance was checked, and stays renewed. */
    synchronized void put(Held advanced) {
        segments.computeIfPresent(advanced.token().segment(), (segment, now) -> advanced.until(now.leaseEnd()));
    }

    /** A token and its lease. */
    record Held(Token token, long fence, @Nullable String owner, Instant leaseEnd) {

        static Held fresh(Segment segment, Map<String, StreamPosition> start) {
            return new Held(new Token(segment, 0, start), 0, null, Instant.MIN);
        }

        boolean isFreeFor(String candidate, Instant now) {
            return owner == null || owner.equals(candidate) || !now.isBefore(leaseEnd);
        }

        boolean isHeldUnder(TokenClaim claim) {
            return owner != null && owner.equals(claim.owner()) && fence == claim.fence();
        }

        Held claimedBy(String newOwner, Instant end) {
            return new Held(token, fence + 1, newOwner, end);
        }

        Held until(Instant end) {
            return new Held(token, fence, owner, end);
        }

        Held free() {
            return new Held(token, fence, null, Instant.MIN);
        }

        Held withMissing(Map<String, StreamPosition> start) {
            Map<String, StreamPosition> positions = new HashMap<>(start);
            positions.putAll(token.positions());
            return new Held(new Token(token.segment(), token.version(), positions), fence, owner, leaseEnd);
        }

        Held advanced(Map<String, StreamPosition> changes) {
            Map<String, StreamPosition> positions = new HashMap<>(token.positions());
            positions.putAll(changes);
            return new Held(new Token(token.segment(), token.version() + 1, positions), fence, owner, leaseEnd);
        }
    }
}

package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.HeldToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
    private final Map<Segment, Leased> segments = new HashMap<>();

    InMemoryTokens(InMemoryHead head, Clock clock, CommitPoint.Observer points) {
        this.head = head;
        this.clock = clock;
        this.points = points;
    }

    @Override
    public Token initialize(Segment segment, Map<String, StreamPosition> start) {
        head.holding(() -> points.pass(CommitPoint.TOKEN_INITIALIZE, () -> {
            synchronized (this) {
                segments.merge(segment, Leased.fresh(segment, start), (known, fresh) -> known.withMissing(start));
            }
        }));
        return find(segment).orElseThrow();
    }

    @Override
    public synchronized Optional<Token> find(Segment segment) {
        return Optional.ofNullable(segments.get(segment))
                .map(leased -> leased.held().token());
    }

    @Override
    public synchronized List<Token> findAll(String consumer) {
        return segments.values().stream()
                .map(leased -> leased.held().token())
                .filter(token -> token.segment().consumer().equals(consumer))
                .sorted(Comparator.comparing(Token::segment))
                .toList();
    }

    @Override
    public Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        List<TokenClaim> claims = new ArrayList<>();
        head.holding(() -> points.pass(
                CommitPoint.TOKEN_CLAIM, () -> take(segment, owner, lease).ifPresent(claims::add)));
        return claims.stream().findFirst();
    }

    private synchronized Optional<TokenClaim> take(Segment segment, String owner, Duration lease) {
        Leased leased = segments.get(segment);
        Instant now = clock.instant();
        if (leased == null || !leased.isFreeFor(owner, now)) {
            return Optional.empty();
        }
        Leased taken = leased.claimedBy(owner, now.plus(lease));
        segments.put(segment, taken);
        return Optional.of(new TokenClaim(segment, owner, taken.held().fence()));
    }

    @Override
    public boolean renew(TokenClaim claim, Duration lease) {
        boolean[] renewed = new boolean[1];
        points.pass(CommitPoint.TOKEN_RENEW, () -> renewed[0] = extend(claim, lease));
        return renewed[0];
    }

    private synchronized boolean extend(TokenClaim claim, Duration lease) {
        Leased leased = segments.get(claim.segment());
        if (leased == null || !leased.held().isHeldUnder(claim)) {
            return false;
        }
        segments.put(claim.segment(), leased.until(clock.instant().plus(lease)));
        return true;
    }

    @Override
    public void release(TokenClaim claim) {
        head.holding(() -> points.pass(CommitPoint.TOKEN_RELEASE, () -> {
            synchronized (this) {
                segments.computeIfPresent(
                        claim.segment(),
                        (segment, leased) -> leased.held().isHeldUnder(claim) ? leased.free() : leased);
            }
        }));
    }

    synchronized @Nullable HeldToken current(Segment segment) {
        Leased leased = segments.get(segment);
        return leased == null ? null : leased.held();
    }

    /** Stores an advance. A lease may have been renewed since the advance was checked, and stays renewed. */
    synchronized void put(HeldToken advanced) {
        segments.computeIfPresent(advanced.token().segment(), (segment, now) -> new Leased(advanced, now.leaseEnd()));
    }

    /** A token and its lease. */
    private record Leased(HeldToken held, Instant leaseEnd) {

        static Leased fresh(Segment segment, Map<String, StreamPosition> start) {
            return new Leased(new HeldToken(new Token(segment, 0, start), 0, null), Instant.MIN);
        }

        boolean isFreeFor(String candidate, Instant now) {
            String owner = held.owner();
            return owner == null || owner.equals(candidate) || !now.isBefore(leaseEnd);
        }

        Leased claimedBy(String newOwner, Instant end) {
            return new Leased(new HeldToken(held.token(), held.fence() + 1, newOwner), end);
        }

        Leased until(Instant end) {
            return new Leased(held, end);
        }

        Leased free() {
            return new Leased(new HeldToken(held.token(), held.fence(), null), Instant.MIN);
        }

        Leased withMissing(Map<String, StreamPosition> start) {
            return new Leased(held.withMissing(start), leaseEnd);
        }
    }
}

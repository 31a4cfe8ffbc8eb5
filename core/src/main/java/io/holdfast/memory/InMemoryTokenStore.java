package io.holdfast.memory;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Segment;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tokens and their leases. Claims and masks change only under the head lock, so that a check of a unit still holds
 * when the unit commits.
 */
final class InMemoryTokenStore implements TokenStore {

    private final InMemoryHead head;
    private final InMemoryDeadLetters letters;
    private final Clock clock;
    private final MonotonicClock leaseClock;
    private final CommitPoint.Observer points;
    private final ReplicaLeases replicaLeases = new ReplicaLeases();
    private final NavigableMap<Segment, LeasedToken> segments = new TreeMap<>();
    private final Map<String, ProcessorDefinition> definitions = new HashMap<>();

    InMemoryTokenStore(InMemoryHead head, InMemoryDeadLetters letters, Clock clock, CommitPoint.Observer points) {
        this.head = head;
        this.letters = letters;
        this.clock = clock;
        this.leaseClock = MonotonicClock.of(clock);
        this.points = points;
    }

    @Override
    public Token initialize(Segment segment, Map<String, StreamPosition> start) {
        return underHead(CommitPoint.TOKEN_INITIALIZE, () -> {
            LeasedToken fresh = LeasedToken.unclaimed(Token.starting(segment, 0, start));
            segments.merge(segment, fresh, (existing, unused) -> existing.withMissing(start));
            return get(segment).token();
        });
    }

    @Override
    public List<Token> initialize(String consumer, int count, Map<String, StreamPosition> start) {
        return underHead(CommitPoint.TOKEN_INITIALIZE, () -> {
            if (of(consumer).isEmpty()) {
                Segments.of(count)
                        .forEach((number, mask) ->
                                put(LeasedToken.unclaimed(Token.starting(new Segment(consumer, number), mask, start))));
            }
            of(consumer).forEach(leased -> put(leased.withMissing(start)));
            return of(consumer).stream().map(LeasedToken::token).toList();
        });
    }

    @Override
    public Instant time() {
        return clock.instant();
    }

    @Override
    public synchronized Optional<Token> find(Segment segment) {
        return Optional.ofNullable(segments.get(segment)).map(LeasedToken::token);
    }

    @Override
    public synchronized List<ClaimedToken> findAll(String consumer) {
        MonotonicTime now = leaseClock.time();
        return of(consumer).stream().map(leased -> leased.asSeenAt(now)).toList();
    }

    @Override
    public Optional<TokenClaim> claim(Segment segment, String owner, Duration lease) {
        return underHead(CommitPoint.TOKEN_CLAIM, () -> {
            LeasedToken leased = segments.get(segment);
            MonotonicTime now = leaseClock.time();
            if (leased == null || !leased.isClaimableBy(owner, now)) {
                return Optional.empty();
            }
            LeasedToken claimed = leased.claimedBy(owner, now.plus(lease));
            put(claimed);
            return Optional.of(new TokenClaim(segment, owner, claimed.claimed().fence()));
        });
    }

    @Override
    public Set<TokenClaim> renew(Collection<TokenClaim> claims, Duration lease) {
        return write(CommitPoint.TOKEN_RENEW, () -> {
            MonotonicTime end = leaseClock.time().plus(lease);
            Set<TokenClaim> renewed = new HashSet<>();
            for (TokenClaim claim : claims) {
                LeasedToken leased = segments.get(claim.segment());
                if (leased != null && leased.claimed().isClaimedBy(claim)) {
                    put(leased.renewedUntil(end));
                    renewed.add(claim);
                }
            }
            return Set.copyOf(renewed);
        });
    }

    @Override
    public boolean release(TokenClaim claim, @Nullable Settlement settlement) {
        Supplier<Boolean> release = () -> {
            Optional<LeasedToken> claimed = Optional.ofNullable(segments.get(claim.segment()))
                    .filter(leased -> leased.claimed().isClaimedBy(claim));
            claimed.ifPresent(leased -> put(leased.released()));
            return claimed.isPresent();
        };
        return underHead(CommitPoint.TOKEN_RELEASE, settling(settlement, release, released -> released));
    }

    @Override
    public Map<String, ProcessorDefinition> renewReplica(
            String consumer, String replica, Duration lease, ProcessorDefinition handled) {
        return write(
                CommitPoint.TOKEN_RENEW_REPLICA,
                () -> replicaLeases.renew(consumer, replica, leaseClock.time(), lease, handled));
    }

    @Override
    public void releaseReplica(String consumer, String replica) {
        replicaLeases.release(consumer, replica);
    }

    @Override
    public synchronized ProcessorDefinition findDefinition(String consumer) {
        return definitions.getOrDefault(consumer, ProcessorDefinition.EMPTY);
    }

    @Override
    public ProcessorDefinition define(
            String consumer, UnaryOperator<ProcessorDefinition> change, @Nullable Settlement settlement) {
        return underHead(
                CommitPoint.TOKEN_DEFINE, settling(settlement, () -> define(change, consumer), stored -> true));
    }

    private ProcessorDefinition define(UnaryOperator<ProcessorDefinition> change, String consumer) {
        ProcessorDefinition before = definitions.getOrDefault(consumer, ProcessorDefinition.EMPTY);
        List<Token> tokens = of(consumer).stream().map(LeasedToken::token).toList();
        ProcessorDefinition after = change.apply(before.completedBy(tokens));
        if (after.equals(before)) {
            return before;
        }
        ProcessorDefinition stored = after.withVersion(before.version() + 1);
        definitions.put(consumer, stored);
        if (!stored.coversSameAs(before)) {
            of(consumer)
                    .forEach(leased -> put(leased.with(
                            leased.token().withComponents(stored.components().keySet()))));
        }
        return stored;
    }

    @Override
    public boolean setUp(
            TokenClaim claim, long fromVersion, String policy, Map<String, Map<String, StreamPosition>> components) {
        return underHead(CommitPoint.TOKEN_SET_UP, () -> {
            Optional<LeasedToken> at = at(claim, fromVersion);
            at.ifPresent(leased -> put(leased.with(leased.token()
                    .withSetup(leased.token().setup().withPolicy(policy).withComponents(components)))));
            return at.isPresent();
        });
    }

    @Override
    public Optional<Segment> split(TokenClaim claim, long fromVersion, @Nullable Settlement settlement) {
        Supplier<Optional<Segment>> split = () -> at(claim, fromVersion).map(leased -> {
            Token off = leased.token().splitOff();
            put(leased.with(leased.token().narrowed()));
            put(LeasedToken.unclaimed(off));
            return off.segment();
        });
        return underHead(CommitPoint.TOKEN_SPLIT, settling(settlement, split, Optional::isPresent));
    }

    @Override
    public boolean merge(
            TokenClaim one, long oneVersion, TokenClaim other, long otherVersion, @Nullable Settlement settlement) {
        Supplier<Boolean> merge = () -> {
            LeasedToken first = at(one, oneVersion).orElse(null);
            LeasedToken second = at(other, otherVersion).orElse(null);
            if (first == null || second == null || !first.token().isMergeableWith(second.token())) {
                return false;
            }
            boolean inOrder = first.segment().compareTo(second.segment()) < 0;
            LeasedToken lower = inOrder ? first : second;
            LeasedToken upper = inOrder ? second : first;
            put(lower.with(lower.token().mergedWith(upper.token())));
            segments.remove(upper.segment());
            return true;
        };
        return underHead(CommitPoint.TOKEN_MERGE, settling(settlement, merge, merged -> merged));
    }

    @Override
    public void setPaused(String consumer, boolean paused, @Nullable Settlement settlement) {
        Supplier<Boolean> pause = () -> change(consumer, token -> token.paused(paused));
        underHead(CommitPoint.TOKEN_PAUSE, settling(settlement, pause, changed -> true));
    }

    @Override
    public boolean reset(
            String consumer, int fromGeneration, Map<String, StreamPosition> start, @Nullable Settlement settlement) {
        Supplier<Boolean> reset = () -> {
            List<LeasedToken> all = of(consumer);
            if (all.isEmpty()
                    || all.stream().anyMatch(leased -> leased.token().setup().generation() != fromGeneration)) {
                return false;
            }
            all.forEach(leased -> put(leased.with(leased.token().reset(start)).released()));
            letters.reset(consumer, start, clock.instant(), settlement);
            return true;
        };
        return underHead(CommitPoint.TOKEN_RESET, settling(settlement, reset, done -> done));
    }

    @Override
    public void acceptRestore(
            String consumer, String stream, Map<StreamPosition, StreamPosition> lost, @Nullable Settlement settlement) {
        Supplier<Boolean> accept = () -> change(consumer, token -> token.afterRestore(stream, lost));
        underHead(CommitPoint.TOKEN_RESTORE, settling(settlement, accept, changed -> true));
    }

    @Override
    public boolean changePolicy(String consumer, String replica, String policy) {
        return underHead(CommitPoint.TOKEN_CHANGE_POLICY, () -> {
            List<LeasedToken> all = of(consumer);
            MonotonicTime now = leaseClock.time();
            boolean isAtOnePosition = all.stream()
                            .map(leased -> leased.token().positions())
                            .distinct()
                            .count()
                    == 1;
            boolean isWhole =
                    all.stream().allMatch(leased -> leased.token().marks().isEmpty());
            boolean isFree = all.stream().allMatch(leased -> leased.isClaimableBy(replica, now));
            if (!isAtOnePosition || !isWhole || !isFree || letters.hasAny(consumer)) {
                return false;
            }
            return change(consumer, token -> token.withSetup(token.setup().withPolicy(policy)));
        });
    }

    /**
     * Increases the token versions of the segments with these hashes, so that their owners reload. Call it only under
     * the head lock.
     */
    synchronized void raiseVersions(String consumer, Collection<Integer> hashes) {
        of(consumer).stream()
                .filter(leased -> hashes.stream()
                        .anyMatch(hash -> Segments.covers(
                                hash,
                                leased.segment().number(),
                                leased.token().setup().mask())))
                .forEach(leased ->
                        put(leased.with(leased.token().withSetup(leased.token().setup()))));
    }

    synchronized @Nullable ClaimedToken current(Segment segment) {
        LeasedToken leased = segments.get(segment);
        return leased == null ? null : leased.claimed();
    }

    /** Stores an advance. If the lease was renewed after the advance was checked, it remains renewed. */
    synchronized void put(ClaimedToken advanced) {
        segments.computeIfPresent(
                advanced.token().segment(), (segment, now) -> new LeasedToken(advanced, now.leaseEnd()));
    }

    private void put(LeasedToken leased) {
        segments.put(leased.segment(), leased);
    }

    private LeasedToken get(Segment segment) {
        return Optional.ofNullable(segments.get(segment)).orElseThrow();
    }

    private Optional<LeasedToken> at(TokenClaim claim, long version) {
        return Optional.ofNullable(segments.get(claim.segment())).filter(leased -> leased.isAt(claim, version));
    }

    private List<LeasedToken> of(String consumer) {
        return segments.values().stream()
                .filter(leased -> leased.segment().consumer().equals(consumer))
                .toList();
    }

    private boolean change(String consumer, UnaryOperator<Token> change) {
        of(consumer).forEach(leased -> put(leased.with(change.apply(leased.token()))));
        return true;
    }

    private <T> Supplier<T> settling(@Nullable Settlement settlement, Supplier<T> change, Predicate<T> isApplied) {
        return () -> letters.actions().settling(settlement, change, isApplied);
    }

    private <T> T underHead(CommitPoint point, Supplier<T> write) {
        head.lock();
        try {
            return write(point, write);
        } finally {
            head.unlock();
        }
    }

    private <T> T write(CommitPoint point, Supplier<T> write) {
        return points.pass(point, () -> {
            synchronized (this) {
                return write.get();
            }
        });
    }
}

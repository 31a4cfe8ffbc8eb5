package io.holdfast.processing;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The segments that this replica works on: as many as its fair share, claimed when they are free, renewed in time, given
 * back when another replica has too few. For one thread.
 */
final class SegmentClaims {

    /** How often it looks who holds what. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    /** What nobody took although it was free is kept for a while, so that it does not go round. */
    private static final int SURPLUS_LEASES = 6;

    private final ProcessorContext context;
    private final String replica;
    private final SegmentRequirements requirements;
    private final SegmentOpener opener;
    private final TokenStore tokens;
    private final NavigableMap<Integer, SegmentWorker> workers = new TreeMap<>();
    private final Map<Integer, ProcessingBackoff> backoffs = new HashMap<>();
    private final Map<Integer, Instant> freeSince = new HashMap<>();
    private final Map<Integer, Instant> avoidUntil = new HashMap<>();
    private final Map<Integer, SegmentWorker> stillRunning = new HashMap<>();
    private final Set<Integer> releasing = new HashSet<>();
    /** Those that are not worked on any more, since that was last said. */
    private final Set<Integer> removed = new LinkedHashSet<>();

    private List<ClaimedToken> layout = List.of();
    private Set<String> replicas = Set.of();
    private Instant refreshAt = Instant.MIN;
    private Instant renewReplicaAt = Instant.MIN;
    private Instant renewAt = Instant.MIN;
    private Instant keepSurplusUntil = Instant.MIN;

    SegmentClaims(ProcessorContext context, String replica, SegmentRequirements requirements) {
        this.context = context;
        this.replica = replica;
        this.requirements = requirements;
        this.opener = new SegmentOpener(context, requirements);
        this.tokens = context.stores().tokens();
    }

    Collection<SegmentWorker> workers() {
        return List.copyOf(workers.values());
    }

    Optional<SegmentWorker> worker(int number) {
        return Optional.ofNullable(workers.get(number));
    }

    /** All segments, as they were when it last looked. */
    List<ClaimedToken> layout() {
        return layout;
    }

    Duration lease() {
        return context.settings().lease();
    }

    /** Looks at the segments again with the next step. */
    void requestRefresh() {
        refreshAt = Instant.MIN;
    }

    /** @return whether it has looked just now */
    boolean refresh() {
        renew();
        Instant now = context.now();
        if (now.isBefore(refreshAt)) {
            return false;
        }
        layout = tokens.findAll(context.processor());
        boolean isOneFree = layout.stream().anyMatch(held -> held.owner() == null);
        if (isOneFree || !now.isBefore(renewReplicaAt)) { // whoever had it may be gone
            replicas = tokens.renewReplica(context.processor(), replica, lease());
            renewReplicaAt = now.plus(lease().dividedBy(3));
        }
        abandonChanged();
        refreshAt = now.plus(POLL_INTERVAL.compareTo(lease().dividedBy(3)) < 0 ? POLL_INTERVAL : lease().dividedBy(3));
        return true;
    }

    /** Somebody has changed a segment under this replica's claim; what was read of it is not what it is to do now. */
    private void abandonChanged() {
        for (ClaimedToken held : layout) {
            SegmentWorker work = workers.get(held.token().segment().number());
            if (work != null && work.isStale(held.token().version())) {
                work.abandon();
            }
        }
    }

    private void renew() {
        Instant now = context.now();
        if (now.isBefore(renewAt) || workers.isEmpty()) {
            return;
        }
        List<TokenClaim> claims =
                workers.values().stream().map(SegmentWorker::claim).toList();
        Set<TokenClaim> renewed = tokens.renew(claims, lease());
        workers.values().stream()
                .filter(work -> !renewed.contains(work.claim()))
                .forEach(SegmentWorker::abandon);
        renewAt = now.plus(lease().dividedBy(3));
    }

    /** Claims what is free, up to its share, and lets go what is above it. */
    void rebalance() {
        int share = (layout.size() + replicas.size() - 1) / Math.max(1, replicas.size());
        for (ClaimedToken held : layout) {
            int number = held.token().segment().number();
            boolean isFree = held.owner() == null || held.owner().equals(replica);
            if (workers.containsKey(number) || !isFree || !mayClaim(held.token())) {
                freeSince.remove(number);
            } else if (workers.size() - releasing.size() < share || isLeftUnclaimed(number)) {
                claim(held.token().segment());
            } else if (held.owner() != null) { // it was changed under this replica's claim, and others have too few
                tokens.release(new TokenClaim(held.token().segment(), replica, held.fence()));
            }
        }
        releaseSurplus(share);
    }

    private boolean mayClaim(Token token) {
        int number = token.segment().number();
        return !token.setup().paused()
                && requirements.problem(token.setup()).isEmpty()
                && !context.now().isBefore(avoidUntil.getOrDefault(number, Instant.MIN))
                && backoff(number).remaining().isZero()
                && !hasRunningHandlers(number);
    }

    /** Handlers of a segment that was lost cannot be stopped; the same events are not handled beside them. */
    private boolean hasRunningHandlers(int number) {
        SegmentWorker before = stillRunning.get(number);
        if (before != null && !before.hasRunningHandlers()) {
            stillRunning.remove(number);
            return false;
        }
        return before != null;
    }

    private Optional<String> runningHandlersProblem(int number) {
        return Optional.ofNullable(stillRunning.get(number))
                .filter(SegmentWorker::hasRunningHandlers)
                .map(before -> "it was lost while handlers ran, and is taken again when these have ended");
    }

    private boolean isLeftUnclaimed(int number) {
        Instant since = freeSince.computeIfAbsent(number, unknown -> context.now());
        boolean isLong =
                !context.now().isBefore(since.plus(lease().dividedBy(2))); // before who gave it back is allowed
        if (isLong) {
            keepSurplusUntil = context.now().plus(lease().multipliedBy(SURPLUS_LEASES));
        }
        return isLong;
    }

    private void releaseSurplus(int share) {
        if (context.now().isBefore(keepSurplusUntil)) {
            return;
        }
        for (Integer number : workers.descendingKeySet()) {
            if (workers.size() - releasing.size() > share && !releasing.contains(number)) {
                drainAndRelease(number, Duration.ZERO);
            }
        }
    }

    /** Gives a segment back when it has come to rest, and does not take it for a while. */
    void drainAndRelease(int number, Duration avoid) {
        SegmentWorker work = workers.get(number);
        if (work != null) {
            work.stop();
            releasing.add(number);
            avoidUntil.put(number, context.now().plus(avoid));
        }
    }

    /** Whatever stopped them is over; those that are to leave come to rest all the same. */
    void resume() {
        workers.keySet().forEach(this::resume);
    }

    void resume(int number) {
        if (!releasing.contains(number)) {
            worker(number).ifPresent(SegmentWorker::resume);
        }
    }

    /** It does not leave after all. */
    void cancelRelease(int number) {
        releasing.remove(number);
        avoidUntil.remove(number);
        worker(number).ifPresent(SegmentWorker::resume);
    }

    /** Takes a segment whatever its share, if it is free. */
    Optional<SegmentWorker> claim(Segment segment) {
        Optional<TokenClaim> claim = tokens.claim(segment, replica, lease());
        renewAt = workers.isEmpty() ? context.now().plus(lease().dividedBy(3)) : renewAt;
        return claim.flatMap(this::open);
    }

    private Optional<SegmentWorker> open(TokenClaim claim) {
        int number = claim.segment().number();
        Optional<SegmentWorker> opened = opener.open(claim, backoff(number));
        opened.ifPresent(work -> {
            workers.put(number, work);
            freeSince.remove(number);
            releasing.remove(number);
            context.metrics().registerLag(number, work, SegmentWorker::lag);
        });
        return opened;
    }

    /** The same segment, changed under this replica's own claim. */
    Optional<SegmentWorker> reopen(int number) {
        SegmentWorker work = workers.remove(number);
        if (work == null) {
            return Optional.empty();
        }
        work.abandon();
        return open(work.claim());
    }

    /** Drops what is lost and gives back what has come to rest and is to leave. */
    void removeFinished() {
        for (SegmentWorker work : workers()) {
            boolean leaves = releasing.contains(work.number());
            if (leaves && (work.isLost() || work.isDrained())) {
                tokens.release(work.claim()); // also what was only changed under the claim
                work.abandon();
            }
            if (work.isLost()) {
                remove(work.number());
            }
        }
    }

    /** The segments that were dropped since this was last asked for, and are not worked on again. */
    Set<Integer> pollRemoved() {
        removed.removeAll(workers.keySet());
        Set<Integer> taken = Set.copyOf(removed);
        removed.clear();
        return taken;
    }

    private void remove(int number) {
        SegmentWorker work = workers.remove(number);
        if (work != null && work.hasRunningHandlers()) {
            stillRunning.put(number, work);
        }
        releasing.remove(number);
        removed.add(number);
        context.metrics().removeLag(number);
    }

    /** Gives everything back, and says that this replica is gone. */
    void release() {
        for (SegmentWorker work : workers()) {
            work.abandon();
            remove(work.number());
            tokens.release(work.claim());
        }
        tokens.releaseReplica(context.processor(), replica);
        refreshAt = Instant.MIN;
        renewReplicaAt = Instant.MIN;
    }

    /** Everything was changed by somebody: nothing that is held here counts. */
    void abandon() {
        workers().forEach(work -> {
            work.abandon();
            remove(work.number());
        });
        refreshAt = Instant.MIN;
    }

    private ProcessingBackoff backoff(int number) {
        return backoffs.computeIfAbsent(
                number,
                unknown -> new ProcessingBackoff(
                        context.service() + "/" + new Segment(context.processor(), number), context.clock()));
    }

    /** All segments, with what is known here of those that this replica works on. */
    List<SegmentStatus> status() {
        List<SegmentStatus> status = new ArrayList<>();
        for (ClaimedToken held : layout) {
            int number = held.token().segment().number();
            SegmentWorker work = workers.get(number);
            status.add(work == null ? unclaimed(held) : work.status());
        }
        return status;
    }

    private SegmentStatus unclaimed(ClaimedToken held) {
        int number = held.token().segment().number();
        ProcessingBackoff hold = backoff(number);
        Optional<String> owner = Optional.ofNullable(held.owner()).filter(other -> !other.equals(replica));
        return new SegmentStatus(
                number,
                held.token().setup().mask(),
                owner,
                false,
                held.token().positions(),
                0,
                held.token().marks().size(),
                Map.of(),
                hold.event(),
                hold.failures(),
                owner.isPresent()
                        ? Optional.empty() // whatever was wrong with it here
                        : hold.error()
                                .or(() -> requirements.problem(held.token().setup()))
                                .or(() -> runningHandlersProblem(number)),
                List.of());
    }

    /** The highest position that any segment has dealt with something at, by stream. */
    Map<String, Long> highest() {
        Map<String, Long> highest = new HashMap<>();
        for (ClaimedToken held : layout) {
            held.token().positions().forEach((stream, position) -> raise(highest, stream, position));
            held.token().marks().forEach(mark -> highest.merge(mark.stream(), mark.position(), Math::max));
        }
        workers.values()
                .forEach(work -> work.readPositions().forEach((stream, position) -> raise(highest, stream, position)));
        return highest;
    }

    private static void raise(Map<String, Long> highest, String stream, StreamPosition position) {
        highest.merge(stream, position.position(), Math::max);
    }
}

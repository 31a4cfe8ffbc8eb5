package io.holdfast.processing.segment;

import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.event.StreamPosition;
import io.holdfast.parking.Awaited;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Claims, renews and releases this replica's segments. It claims free segments up to a fair share, and releases surplus
 * segments when another replica has too few. Not thread-safe; used by the coordinator's thread only.
 */
public final class SegmentClaims {

    /** How often the owners of all segments are read. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    /** For how many leases a surplus segment stays that no other replica claimed, so that segments do not circulate. */
    private static final int SURPLUS_LEASES = 6;

    private final ProcessorContext context;
    private final String replica;
    private final SegmentRequirements requirements;
    private final SegmentOpener opener;
    private final TokenStore tokens;
    private final NavigableMap<Integer, SegmentWorker> workers = new TreeMap<>();
    private final Map<Integer, ProcessingBackoff> backoffs = new HashMap<>();
    private final Map<Integer, LostTransactions> lostTransactions = new HashMap<>();
    private final Map<Integer, MonotonicTime> freeSince = new HashMap<>();
    private final Map<Integer, MonotonicTime> avoidUntil = new HashMap<>();
    /** Segments that were released to replicas of another version. */
    private final Map<Integer, LeftToVersion> leftToVersion = new HashMap<>();

    private final Map<Integer, SegmentWorker> stillRunning = new HashMap<>();
    private final Set<Integer> releasing = new HashSet<>();
    private final Map<Integer, SettledRelease> settledReleases = new HashMap<>();
    /** Segments that were removed since the last call of {@link #pollRemoved}. */
    private final Set<Integer> removed = new LinkedHashSet<>();

    private List<ClaimedToken> layout = List.of();
    private Map<String, ProcessorDefinition> replicas = Map.of();
    private boolean replicasRenewed;
    private MonotonicTime refreshAt = MonotonicTime.MIN;
    private MonotonicTime renewReplicaAt = MonotonicTime.MIN;
    private MonotonicTime renewAt = MonotonicTime.MIN;
    private MonotonicTime keepSurplusUntil = MonotonicTime.MIN;

    public SegmentClaims(
            ProcessorContext context,
            String replica,
            SegmentRequirements requirements,
            ProcessorRegistration registration) {
        this.context = context;
        this.replica = replica;
        this.requirements = requirements;
        this.opener = new SegmentOpener(context, requirements, registration);
        this.tokens = context.stores().tokens();
    }

    public Collection<SegmentWorker> workers() {
        return List.copyOf(workers.values());
    }

    public Optional<SegmentWorker> worker(int number) {
        return Optional.ofNullable(workers.get(number));
    }

    /** Returns what each live replica handles, once after each renewal of this replica's lease. */
    public Optional<Collection<ProcessorDefinition>> pollReplicas() {
        boolean isNew = replicasRenewed;
        replicasRenewed = false;
        return isNew ? Optional.of(replicas.values()) : Optional.empty();
    }

    /** Returns all segments, as of the last refresh. */
    public List<ClaimedToken> layout() {
        return layout;
    }

    public Duration lease() {
        return context.settings().lease();
    }

    /** Makes the next step read the segments again. */
    public void requestRefresh() {
        refreshAt = MonotonicTime.MIN;
    }

    /**
     * Renews leases that are due, and reads all segments if that is due.
     *
     * @return whether the segments were read
     */
    public boolean refresh() {
        renew();
        MonotonicTime now = context.time();
        if (now.isBefore(refreshAt)) {
            return false;
        }
        layout = tokens.findAll(context.processor());
        boolean isOneFree = layout.stream().anyMatch(claimed -> claimed.owner() == null);
        if (isOneFree || !now.isBefore(renewReplicaAt)) { // the previous owner may be gone
            replicas = tokens.renewReplica(context.processor(), replica, lease(), context.definition());
            renewReplicaAt = now.plus(lease().dividedBy(3));
            replicasRenewed = true;
        }
        abandonChanged();
        refreshAt = now.plus(POLL_INTERVAL.compareTo(lease().dividedBy(3)) < 0 ? POLL_INTERVAL : lease().dividedBy(3));
        return true;
    }

    /** Abandons segments that were changed under this replica's claim: what was read of them is outdated. */
    private void abandonChanged() {
        for (ClaimedToken claimed : layout) {
            SegmentWorker worker = workers.get(claimed.token().segment().number());
            if (worker != null && worker.isStale(claimed.token().version())) {
                worker.abandon();
            }
        }
    }

    private void renew() {
        MonotonicTime now = context.time();
        if (now.isBefore(renewAt) || workers.isEmpty()) {
            return;
        }
        List<TokenClaim> claims =
                workers.values().stream().map(SegmentWorker::claim).toList();
        Set<TokenClaim> renewed = tokens.renew(claims, lease());
        workers.values().stream()
                .filter(worker -> !renewed.contains(worker.claim()))
                .forEach(SegmentWorker::abandon);
        renewAt = now.plus(lease().dividedBy(3));
    }

    /**
     * Claims free segments up to the fair share, and releases those above it. Releases segments to replicas of another
     * version if sequences await that version.
     */
    public void rebalance() {
        int share = (layout.size() + replicas.size() - 1) / Math.max(1, replicas.size());
        for (ClaimedToken claimed : layout) {
            int number = claimed.token().segment().number();
            boolean isFree = claimed.owner() == null || claimed.owner().equals(replica);
            if (workers.containsKey(number) || !isFree || !mayClaim(claimed.token())) {
                freeSince.remove(number);
            } else if (workers.size() - releasing.size() < share || isLeftUnclaimed(number)) {
                claim(claimed.token().segment());
            } else if (claimed.owner() != null) { // changed under this replica's claim, and others have too few
                tokens.release(new TokenClaim(claimed.token().segment(), replica, claimed.fence()));
            }
        }
        releaseSurplus(share);
        releaseToOtherVersions();
    }

    private boolean mayClaim(Token token) {
        int number = token.segment().number();
        return !token.setup().paused()
                && requirements.problem(token.setup()).isEmpty()
                && !context.time().isBefore(avoidUntil.getOrDefault(number, MonotonicTime.MIN))
                && !isLeftToVersion(number)
                && backoff(number).remaining().isZero()
                && !hasRunningHandlers(number);
    }

    /** Handlers of a lost segment cannot be stopped. The same events must not be handled concurrently with them. */
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
                .map(before -> "it was lost while handlers were running; it is claimed again when they have ended");
    }

    private boolean isLeftUnclaimed(int number) {
        MonotonicTime since = freeSince.computeIfAbsent(number, unknown -> context.time());
        // half a lease: earlier than the replica that released it may claim it again
        boolean isLong = !context.time().isBefore(since.plus(lease().dividedBy(2)));
        if (isLong) {
            keepSurplusUntil = context.time().plus(lease().multipliedBy(SURPLUS_LEASES));
        }
        return isLong;
    }

    private void releaseSurplus(int share) {
        if (context.time().isBefore(keepSurplusUntil)) {
            return;
        }
        for (Integer number : workers.descendingKeySet()) {
            if (workers.size() - releasing.size() > share && !releasing.contains(number)) {
                drainAndRelease(number, Duration.ZERO);
            }
        }
    }

    /** Releases segments with sequences that this version cannot handle, if a replica of another version can. */
    private void releaseToOtherVersions() {
        for (SegmentWorker worker : workers()) {
            LeftToVersion left =
                    new LeftToVersion(worker.awaited(), context.time().plus(lease().multipliedBy(SURPLUS_LEASES)));
            if (!releasing.contains(worker.number()) && !worker.isLost() && isHandledElsewhere(left.awaited())) {
                leftToVersion.put(worker.number(), left);
                drainAndRelease(worker.number(), Duration.ZERO);
            }
        }
    }

    private boolean isHandledElsewhere(Set<Awaited> awaited) {
        return replicas.entrySet().stream()
                .filter(other -> !other.getKey().equals(replica))
                .anyMatch(other -> awaited.stream()
                        .anyMatch(waiting -> waiting.isHandledBy(other.getValue(), context.definition())));
    }

    /** Returns whether a replica of another version should claim the segment; if it disappears, any replica may. */
    private boolean isLeftToVersion(int number) {
        LeftToVersion left = leftToVersion.get(number);
        boolean isLeft = left != null && context.time().isBefore(left.until()) && isHandledElsewhere(left.awaited());
        if (!isLeft) {
            leftToVersion.remove(number);
        }
        return isLeft;
    }

    /** Releases a segment once it is drained, and does not claim it again for a while. */
    public void drainAndRelease(int number, Duration avoid) {
        SegmentWorker worker = workers.get(number);
        if (worker != null) {
            worker.stop();
            releasing.add(number);
            avoidUntil.put(number, context.time().plus(avoid));
        }
    }

    /**
     * As {@link #drainAndRelease(int, Duration)}. Commits the settlement together with the release.
     *
     * @return whether the segment was released under its claim; fails with an {@link AlreadySettledException} if the item
     *     is settled, and the segment resumes
     */
    public CompletableFuture<Boolean> drainAndRelease(int number, Duration avoid, Settlement settlement) {
        drainAndRelease(number, avoid);
        SettledRelease release = new SettledRelease(settlement, new CompletableFuture<>());
        settledReleases.put(number, release);
        return release.isReleased();
    }

    private record SettledRelease(Settlement settlement, CompletableFuture<Boolean> isReleased) {}

    /** Resumes all segments that are not being released. */
    public void resume() {
        workers.keySet().forEach(this::resume);
    }

    public void resume(int number) {
        if (!releasing.contains(number)) {
            worker(number).ifPresent(SegmentWorker::resume);
        }
    }

    /** Cancels a release; the segment resumes. */
    public void cancelRelease(int number) {
        releasing.remove(number);
        settledReleases.remove(number);
        avoidUntil.remove(number);
        worker(number).ifPresent(SegmentWorker::resume);
    }

    /**
     * Claims a segment if it is free, regardless of the fair share. Not while handlers run that it had before it was
     * lost.
     */
    public Optional<SegmentWorker> claim(Segment segment) {
        abandon(segment.number()); // the store may have lost it in a failover, and it was created again
        if (hasRunningHandlers(segment.number())) {
            return Optional.empty();
        }
        Optional<TokenClaim> claim = tokens.claim(segment, replica, lease());
        renewAt = workers.isEmpty() ? context.time().plus(lease().dividedBy(3)) : renewAt;
        return claim.flatMap(this::open);
    }

    private Optional<SegmentWorker> open(TokenClaim claim) {
        int number = claim.segment().number();
        Optional<SegmentWorker> opened = opener.open(
                claim, backoff(number), lostTransactions.computeIfAbsent(number, unknown -> new LostTransactions()));
        opened.ifPresent(worker -> {
            workers.put(number, worker);
            freeSince.remove(number);
            releasing.remove(number);
            context.metrics().registerLag(number, worker, SegmentWorker::lag);
        });
        return opened;
    }

    /** Opens a segment again that was changed under this replica's own claim. */
    public Optional<SegmentWorker> reopen(int number) {
        SegmentWorker worker = workers.remove(number);
        if (worker == null) {
            return Optional.empty();
        }
        worker.abandon();
        return open(worker.claim());
    }

    /** Removes lost segments, and releases those that are to be released once they are drained. */
    public void removeFinished() {
        for (SegmentWorker worker : workers()) {
            boolean leaves = releasing.contains(worker.number());
            if (leaves && (worker.isLost() || worker.isDrained())) {
                release(worker);
            }
            if (worker.isLost()) {
                remove(worker.number());
            }
        }
    }

    /** Releases the claim, also if the segment was only changed under it. */
    private void release(SegmentWorker worker) {
        SettledRelease release = settledReleases.get(worker.number());
        try {
            boolean isReleased = tokens.release(worker.claim(), release == null ? null : release.settlement());
            worker.abandon();
            if (release != null) {
                release.isReleased().complete(isReleased);
            }
        } catch (AlreadySettledException e) {
            cancelRelease(worker.number());
            Objects.requireNonNull(release, "only a settlement is rejected")
                    .isReleased()
                    .completeExceptionally(e);
        }
    }

    /** Returns the segments that were removed since the last call and not claimed again. */
    public Set<Integer> pollRemoved() {
        removed.removeAll(workers.keySet());
        Set<Integer> result = Set.copyOf(removed);
        removed.clear();
        return result;
    }

    private void remove(int number) {
        SegmentWorker worker = workers.remove(number);
        if (worker != null && worker.hasRunningHandlers()) {
            stillRunning.put(number, worker);
        }
        releasing.remove(number);
        settledReleases.remove(number);
        removed.add(number);
        context.metrics().removeLag(number);
    }

    /** Releases all segments and this replica's own lease. */
    public void release() {
        for (SegmentWorker worker : workers()) {
            worker.abandon();
            remove(worker.number());
            tokens.release(worker.claim());
        }
        tokens.releaseReplica(context.processor(), replica);
        refreshAt = MonotonicTime.MIN;
        renewReplicaAt = MonotonicTime.MIN;
    }

    /** Abandons all segments, because their tokens were changed in the store. */
    public void abandon() {
        workers().forEach(worker -> abandon(worker.number()));
        refreshAt = MonotonicTime.MIN;
    }

    private void abandon(int number) {
        worker(number).ifPresent(worker -> {
            worker.abandon();
            remove(number);
        });
    }

    private ProcessingBackoff backoff(int number) {
        return backoffs.computeIfAbsent(
                number,
                unknown -> new ProcessingBackoff(
                        context.service() + "/" + new Segment(context.processor(), number), context.clock()));
    }

    /** Returns the status of all segments, in full for those that this replica owns. */
    public List<SegmentStatus> status() {
        List<SegmentStatus> status = new ArrayList<>();
        for (ClaimedToken claimed : layout) {
            int number = claimed.token().segment().number();
            SegmentWorker worker = workers.get(number);
            status.add(worker == null ? unclaimed(claimed) : worker.status());
        }
        return status;
    }

    private SegmentStatus unclaimed(ClaimedToken claimed) {
        int number = claimed.token().segment().number();
        ProcessingBackoff backoff = backoff(number);
        Optional<String> owner = Optional.ofNullable(claimed.owner()).filter(other -> !other.equals(replica));
        return new SegmentStatus(
                number,
                claimed.token().setup().mask(),
                owner,
                false,
                claimed.token().positions(),
                0,
                claimed.token().marks().size(),
                Map.of(),
                backoff.event(),
                backoff.failures(),
                owner.isPresent()
                        ? Optional.empty() // an error of this replica no longer matters
                        : backoff.error()
                                .or(() -> requirements.problem(claimed.token().setup()))
                                .or(() -> runningHandlersProblem(number)),
                List.of(),
                Optional.empty());
    }

    /** Returns the highest position that any segment has read or processed, by stream. */
    public Map<String, Long> highest() {
        Map<String, Long> highest = new HashMap<>();
        for (ClaimedToken claimed : layout) {
            claimed.token().positions().forEach((stream, position) -> raise(highest, stream, position));
            claimed.token().marks().forEach(mark -> highest.merge(mark.stream(), mark.position(), Math::max));
        }
        workers.values().forEach(worker -> worker.readPositions()
                .forEach((stream, position) -> raise(highest, stream, position)));
        return highest;
    }

    /** What was awaited in a segment that was released, and until when it is left to a replica that handles that. */
    private record LeftToVersion(Set<Awaited> awaited, MonotonicTime until) {}

    private static void raise(Map<String, Long> highest, String stream, StreamPosition position) {
        highest.merge(stream, position.position(), Math::max);
    }
}

package io.holdfast.outbox.publishing;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Committer;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.failover.TailLostException;
import io.holdfast.failover.witness.TailRecovery;
import io.holdfast.outbox.OutboxSettings;
import io.holdfast.outbox.OutboxStatus;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.AppendSignals;
import io.holdfast.worker.Backoff;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import io.holdfast.worker.SegmentLease;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes committed events from the log to the wire, in position order and under a lease: the log is the outbox.
 * Delivery is at-least-once: the publisher saves its position after it has published, and not after every batch.
 * After a crash some events are on the wire twice, and none is missing. While the wire is down, events wait in the
 * log.
 *
 * <p>One {@link #step} publishes one batch and never blocks on the committer. Not thread-safe, except for
 * {@link #wake}, {@link #status}, {@link #retry} and {@link #pending}.
 */
public final class OutboxPublisher {

    private static final Logger log = LoggerFactory.getLogger(OutboxPublisher.class);
    /** The consumer name of its token, which is stored with those of the processors. */
    public static final String NAME = "outbox-publisher";

    private static final Segment SEGMENT = new Segment(NAME, 0);
    /** The publisher reads all streams together; its position is the log's. */
    private static final String WHOLE_LOG = "*";
    /**
     * Minimum time between saves of the position; events of that time are published twice after a crash. Each save is
     * a commit that no caller waits for.
     */
    private static final Duration STORE_INTERVAL = Duration.ofMillis(100);

    private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);

    private final EventLog eventLog;
    private final AppendSignals appendSignals;
    private final OutboxStore outbox;
    private final Wire wire;
    private final TokenStore tokens;
    private final Committer committer;
    private final SegmentLease lease;
    private final MonotonicClock clock;
    private final OutboxSettings settings;
    private final OutboxMetrics metrics;
    private final TailRecovery tail;
    private final UnpublishableEvents unpublishable;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private @Nullable Token token;
    private @Nullable StreamPosition published;
    private @Nullable CompletableFuture<UnitOutcome> storing;
    private @Nullable TokenAdvance advance;
    /** The signal count before the last read that found nothing. */
    private long idleSignalCount = Long.MIN_VALUE;

    private MonotonicTime pollAt = MonotonicTime.MIN;
    private MonotonicTime storeAt = MonotonicTime.MIN;
    private MonotonicTime retryAt = MonotonicTime.MIN;
    private MonotonicTime countAt = MonotonicTime.MIN;
    private final AtomicBoolean reloadRequested = new AtomicBoolean();
    private final Queue<CompletableFuture<OutboxStatus>> retries = new ConcurrentLinkedQueue<>();
    private @Nullable Instant oldest;
    private @Nullable String problem;
    private volatile OutboxStatus status = new OutboxStatus(false, null, 0, null, 0, null);
    private volatile @Nullable Worker worker;

    /**
     * @param appendSignals the log's signals, which the publisher notifies of assigned positions
     * @param owner unique to this replica
     */
    public OutboxPublisher(
            EventLog eventLog,
            AppendSignals appendSignals,
            OutboxStore outbox,
            Wire wire,
            TokenStore tokens,
            Committer committer,
            String owner,
            Clock clock,
            OutboxSettings settings,
            OutboxMetrics metrics,
            TailRecovery tail) {
        this.eventLog = eventLog;
        this.appendSignals = appendSignals;
        this.outbox = outbox;
        this.wire = wire;
        this.tokens = tokens;
        this.committer = committer;
        this.lease = new SegmentLease(tokens, SEGMENT, owner, SegmentLease.DEFAULT_LEASE, clock);
        this.clock = MonotonicClock.of(clock);
        this.settings = settings;
        this.metrics = metrics;
        this.tail = tail;
        tail.onLoss(this::reload);
        this.unpublishable = new UnpublishableEvents(settings.maxRetries());
    }

    /** Runs the publisher on its own thread until the worker is closed. */
    public Worker start(String service) {
        Worker started = Worker.start("holdfast-publisher-" + service, this::step);
        worker = started;
        started.wake(); // earlier commits had no worker to wake
        return started;
    }

    /**
     * Publishes one batch, if there is one and this replica has the lease.
     *
     * @return the time until the next step
     */
    public Duration step() {
        List<CompletableFuture<OutboxStatus>> requested = pollRetries();
        if (!requested.isEmpty()) {
            retryAt = MonotonicTime.MIN;
        }
        try {
            Duration left = clock.time().until(retryAt);
            if (!left.isZero()) {
                countPending();
                return left; // every commit wakes the publisher, which must not shorten the backoff
            }
            completeStore();
            if (reloadRequested.getAndSet(false)) {
                clearPosition();
                lease.invalidate();
            }
            Duration wait = publishNext();
            problem = null;
            countPending();
            return wait;
        } catch (RetryableException | UnpublishableEventException e) {
            Duration wait = backoff.next();
            retryAt = clock.time().plus(wait);
            problem = e.getMessage();
            if (backoff.failures() == 1) {
                log.warn("Publishing failed, retrying in {}: {}", wait, e.getMessage());
            }
            countPendingIfPossible();
            return wait;
        } finally {
            OutboxStatus reached = newStatus();
            status = reached;
            requested.forEach(retry -> retry.complete(reached));
        }
    }

    private List<CompletableFuture<OutboxStatus>> pollRetries() {
        List<CompletableFuture<OutboxStatus>> requested = new ArrayList<>();
        for (CompletableFuture<OutboxStatus> next = retries.poll(); next != null; next = retries.poll()) {
            requested.add(next);
        }
        return requested;
    }

    /**
     * Publishes the next batch now, if this replica is the publisher and waits for a retry. Thread-safe.
     *
     * @return the state after the attempt
     */
    public CompletableFuture<OutboxStatus> retry() {
        CompletableFuture<OutboxStatus> retry = new CompletableFuture<>();
        retries.add(retry);
        wake();
        return retry;
    }

    private OutboxStatus newStatus() {
        return new OutboxStatus(token != null, published, metrics.pending(), oldest, metrics.failedEvents(), problem);
    }

    /** Returns the state after the last step. Cheap; may be called from any thread. */
    public OutboxStatus status() {
        return status;
    }

    /** Returns the number of committed events that are not known to be published. */
    public long pending() {
        Token saved = tokens.find(SEGMENT).orElse(null);
        StreamPosition reached = saved == null ? null : saved.positions().get(WHOLE_LOG);
        return eventLog.position() - (reached == null ? 0 : reached.position()) + outbox.countUnpositioned();
    }

    /** Releases the lease. Call it only while no step runs. */
    public void release() {
        lease.release();
        clearPosition();
    }

    private Duration publishNext() {
        if (committer.problem().isPresent()) {
            clearPosition();
            lease.invalidate(); // it expires: a publisher that cannot save its position would publish the same again
            return lease.retryAfter();
        }
        if (token == null && lease.isClaimDue()) {
            tokens.initialize(SEGMENT, Map.of(WHOLE_LOG, StreamPosition.beginning(eventLog.identity())));
        }
        Optional<TokenClaim> claim = lease.claimOrRenew();
        if (claim.isEmpty()) {
            clearPosition();
            return lease.retryAfter();
        }
        boolean more = publishNewEvents();
        if (isStored(position())) {
            backoff.reset();
        }
        store(claim.get());
        return more ? Duration.ZERO : clock.time().until(nextStep());
    }

    /** Returns the time of the next poll, or of the next save if that is due earlier. */
    private MonotonicTime nextStep() {
        boolean isToBeStored = storing == null && !isStored(position());
        return isToBeStored && storeAt.isBefore(pollAt) ? storeAt : pollAt;
    }

    /** @return whether there may be more events */
    private boolean publishNewEvents() {
        StreamPosition reached = position();
        long signalCount = appendSignals.signalCount();
        MonotonicTime now = clock.time();
        if (signalCount == idleSignalCount && now.isBefore(pollAt)) {
            return false;
        }
        List<EventMessage> events = eventLog.readAll(reached.position(), settings.batch());
        if (!events.isEmpty()) {
            oldest = events.get(0).occurredAt();
            publish(events);
            oldest = null;
            published = events.get(events.size() - 1).streamPosition();
        }
        int positioned = assignPositions(); // last: events with positions come first
        metrics.positioned(positioned);
        if (positioned > 0) {
            appendSignals.appended();
        }
        boolean more = events.size() == settings.batch() || positioned > 0;
        idleSignalCount = more ? Long.MIN_VALUE : signalCount;
        pollAt = now.plus(settings.pollInterval());
        return more;
    }

    private int assignPositions() {
        try {
            return outbox.assignPositions(settings.batch(), tail.witness().witnessed());
        } catch (TailLostException e) {
            tail.recover();
            throw e;
        }
    }

    private void publish(List<EventMessage> events) {
        try {
            metrics.recordPublish(() -> wire.publish(unpublishable.stripGivenUp(events)));
            metrics.delivered(events.size());
            unpublishable.recordPublished(events);
        } catch (UnpublishableEventException e) {
            if (unpublishable.recordFailure(e)) {
                metrics.failed();
            }
            throw e;
        } catch (RetryableException e) {
            if (settings.retried()) {
                throw e;
            }
            metrics.failed(events.size());
            log.warn("{} events were not published and are not retried: {}", events.size(), e.getMessage());
        }
    }

    private void store(TokenClaim claim) {
        StreamPosition reached = position();
        Token from = Objects.requireNonNull(token);
        if (storing != null || isStored(reached) || clock.time().isBefore(storeAt)) {
            return;
        }
        storeAt = clock.time().plus(STORE_INTERVAL);
        TokenAdvance toReached = from.advance(claim, Map.of(WHOLE_LOG, reached), Set.of());
        advance = toReached;
        CompletableFuture<UnitOutcome> saving = committer.submit(CommitUnit.of(List.of(), toReached));
        storing = saving;
        var unused = saving.whenComplete((outcome, failure) -> wake());
    }

    /**
     * @throws RetryableException if it is unknown which position is stored; events after the stored one are published
     *     again
     */
    private void completeStore() {
        CompletableFuture<UnitOutcome> saving = storing;
        if (saving == null || !saving.isDone()) {
            return;
        }
        storing = null;
        try {
            saving.join();
            backoff.reset();
            if (token != null) {
                token = token.advanced(Objects.requireNonNull(advance));
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof CommitterBusyException) {
                return; // nothing was committed: the next step saves again, without publishing again
            }
            clearPosition();
            lease.invalidate();
            throw new RetryableException(
                    "the publisher's position could not be saved and is loaded again: " + e.getMessage(), e);
        }
    }

    /** Returns the position up to which events are published; initially the stored one. */
    private StreamPosition position() {
        StreamPosition reached = published;
        if (token == null || reached == null) {
            Token loaded = tokens.find(SEGMENT).orElseThrow();
            token = loaded;
            reached =
                    Objects.requireNonNull(loaded.positions().get(WHOLE_LOG), "the publisher's token has no position");
            published = reached;
        }
        return reached;
    }

    private boolean isStored(StreamPosition reached) {
        return token != null && reached.equals(token.positions().get(WHOLE_LOG));
    }

    private void clearPosition() {
        token = null;
        published = null;
        oldest = null;
        idleSignalCount = Long.MIN_VALUE;
    }

    /** The store may be the reason for the failure. */
    private void countPendingIfPossible() {
        try {
            countPending();
        } catch (RetryableException e) {
            log.debug("Pending events cannot be counted now: {}", e.getMessage());
        }
    }

    private void countPending() {
        MonotonicTime now = clock.time();
        if (!now.isBefore(countAt)) {
            countAt = now.plus(COUNT_INTERVAL);
            metrics.pending(pending());
        }
    }

    /** Makes the next step load the stored position, because the log has lost published events. Thread-safe. */
    private void reload() {
        reloadRequested.set(true);
        wake();
    }

    /** Runs the next step immediately, because something was committed. Thread-safe. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }
}

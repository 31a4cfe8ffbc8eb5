package io.holdfast.outbox;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Committer;
import io.holdfast.commit.CommitterBusyException;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.event.AppendSignals;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentLease;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.Wire;
import io.holdfast.worker.Backoff;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries committed events from the log to the wire, in position order, under a lease: the log is the outbox. It
 * publishes first and stores its position after, and not after every batch: what is published twice after a crash is a
 * duplicate on the wire, and nothing is left out. While the wire is down, events wait in the log.
 *
 * <p>One {@link #step} does one batch and never blocks for the committer. For one thread.
 */
public final class OutboxPublisher {

    private static final Logger log = LoggerFactory.getLogger(OutboxPublisher.class);
    /** What its position is kept under, beside those of the processors. */
    public static final String NAME = "outbox-publisher";

    private static final Segment SEGMENT = new Segment(NAME, 0);
    /** The publisher reads all streams at once; its position is the log's. */
    private static final String WHOLE_LOG = "*";
    /** How often the position is stored at most; what a crash makes a duplicate. Each time is a commit, for what nobody waits for. */
    private static final Duration STORE_INTERVAL = Duration.ofMillis(100);

    private static final Duration COUNT_INTERVAL = Duration.ofSeconds(1);

    private final EventLog eventLog;
    private final AppendSignals appendSignals;
    private final OutboxStore outbox;
    private final Wire wire;
    private final TokenStore tokens;
    private final Committer committer;
    private final SegmentLease lease;
    private final Clock clock;
    private final OutboxSettings settings;
    private final OutboxMetrics metrics;
    private final UnpublishableEvents unpublishable;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private @Nullable Token token;
    private @Nullable StreamPosition published;
    private @Nullable CompletableFuture<UnitOutcome> storing;
    private @Nullable StreamPosition stored;
    /** The news before it last found nothing. */
    private long idleSignalCount = Long.MIN_VALUE;

    private Instant pollAt = Instant.EPOCH;
    private Instant storeAt = Instant.EPOCH;
    private Instant retryAt = Instant.EPOCH;
    private Instant countAt = Instant.EPOCH;
    private volatile @Nullable Worker worker;

    /**
     * @param news of the log; is told of what was placed
     * @param owner unique to this replica
     */
    public OutboxPublisher(
            EventLog eventLog,
            AppendSignals news,
            OutboxStore outbox,
            Wire wire,
            TokenStore tokens,
            Committer committer,
            String owner,
            Clock clock,
            OutboxSettings settings,
            OutboxMetrics metrics) {
        this.eventLog = eventLog;
        this.appendSignals = news;
        this.outbox = outbox;
        this.wire = wire;
        this.tokens = tokens;
        this.committer = committer;
        this.lease = new SegmentLease(tokens, SEGMENT, owner, SegmentLease.DEFAULT_LEASE, clock);
        this.clock = clock;
        this.settings = settings;
        this.metrics = metrics;
        this.unpublishable = new UnpublishableEvents(settings.maxRetries());
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start(String service) {
        Worker started = Worker.start("holdfast-publisher-" + service, this::step);
        worker = started;
        started.wake(); // what was committed while nobody could be woken
        return started;
    }

    /** Publishes one batch, if there is one and this replica holds the lease. */
    public Duration step() {
        try {
            Duration left = Duration.between(clock.instant(), retryAt);
            if (!left.isNegative() && !left.isZero()) {
                countPending();
                return left; // every commit wakes it; that must not make it knock at a wire that is down
            }
            completeStore();
            Duration wait = publishNext();
            countPending();
            return wait;
        } catch (RetryableException | UnpublishableEventException e) {
            Duration wait = backoff.next();
            retryAt = clock.instant().plus(wait);
            if (backoff.failures() == 1) {
                log.warn("Publishing waits for {}: {}", wait, e.getMessage());
            }
            return wait;
        }
    }

    /** The events that are committed and not known to be published. */
    public long pending() {
        Token known = tokens.find(SEGMENT).orElse(null);
        StreamPosition reached = known == null ? null : known.positions().get(WHOLE_LOG);
        return eventLog.position() - (reached == null ? 0 : reached.position()) + outbox.countUnpositioned();
    }

    /** Gives the lease back; to be called when no step runs. */
    public void release() {
        lease.release();
        clearPosition();
    }

    private Duration publishNext() {
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
        return more ? Duration.ZERO : Duration.between(clock.instant(), nextStep());
    }

    /** Who has something to store does not wait for the next look. */
    private Instant nextStep() {
        boolean isToBeStored = storing == null && !isStored(position());
        return isToBeStored && storeAt.isBefore(pollAt) ? storeAt : pollAt;
    }

    /** @return whether there may be more */
    private boolean publishNewEvents() {
        StreamPosition reached = position();
        long version = appendSignals.signalCount();
        Instant now = clock.instant();
        if (version == idleSignalCount && now.isBefore(pollAt)) {
            return false;
        }
        List<EventMessage> events = eventLog.readAll(reached.position(), settings.batch());
        if (!events.isEmpty()) {
            publish(events);
            published = events.get(events.size() - 1).streamPosition();
        }
        int placed = outbox.assignPositions(settings.batch()); // after what somebody waits for already
        metrics.positioned(placed);
        if (placed > 0) {
            appendSignals.appended();
        }
        boolean more = events.size() == settings.batch() || placed > 0;
        idleSignalCount = more ? Long.MIN_VALUE : version;
        pollAt = now.plus(settings.pollInterval());
        return more;
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
            log.warn("{} events are not published, and not tried again: {}", events.size(), e.getMessage());
        }
    }

    private void store(TokenClaim claim) {
        StreamPosition reached = position();
        Token from = Objects.requireNonNull(token);
        if (storing != null || isStored(reached) || clock.instant().isBefore(storeAt)) {
            return;
        }
        storeAt = clock.instant().plus(STORE_INTERVAL);
        stored = reached;
        CompletableFuture<UnitOutcome> answer = committer.submit(
                CommitUnit.of(List.of(), new TokenAdvance(claim, from.version(), Map.of(WHOLE_LOG, reached))));
        storing = answer;
        var unused = answer.whenComplete((outcome, failure) -> wake());
    }

    /** @throws RetryableException if it is not known where the position stands; what comes after it is published again */
    private void completeStore() {
        CompletableFuture<UnitOutcome> answer = storing;
        if (answer == null || !answer.isDone()) {
            return;
        }
        storing = null;
        try {
            answer.join();
            backoff.reset();
            if (token != null) {
                token = new Token(SEGMENT, token.version() + 1, Map.of(WHOLE_LOG, Objects.requireNonNull(stored)));
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof CommitterBusyException) {
                return; // nothing was done; the next try is as good, and what is published need not be again
            }
            clearPosition();
            lease.invalidate();
            throw new RetryableException(
                    "the publisher's position was not stored and is loaded again: " + e.getMessage(), e);
        }
    }

    /** How far it has published; at first, as far as is stored. */
    private StreamPosition position() {
        StreamPosition reached = published;
        if (token == null || reached == null) {
            Token loaded = tokens.find(SEGMENT).orElseThrow();
            token = loaded;
            reached = Objects.requireNonNull(loaded.positions().get(WHOLE_LOG), "the publisher's position");
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
        idleSignalCount = Long.MIN_VALUE;
    }

    private void countPending() {
        Instant now = clock.instant();
        if (!now.isBefore(countAt)) {
            countAt = now.plus(COUNT_INTERVAL);
            metrics.pending(pending());
        }
    }

    /** Makes the next step come at once: something was committed. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }
}

package io.holdfast.outbox;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Committer;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentLease;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
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
 * publishes first and stores its position after, so what is published twice after a crash is a duplicate on the wire, and
 * nothing is left out. While the wire is down, events wait in the log.
 *
 * <p>One {@link #step} does one batch and never blocks for the committer. For one thread.
 */
public final class OutboxPublisher {

    public static final int DEFAULT_BATCH = 500;
    /** Tries for an event that the wire cannot carry; an outage does not count. */
    public static final int DEFAULT_MAX_RETRIES = 5;

    private static final Logger log = LoggerFactory.getLogger(OutboxPublisher.class);
    private static final Segment SEGMENT = new Segment("outbox-publisher", 0);
    /** The publisher reads all streams at once; its position is the log's. */
    private static final String WHOLE_LOG = "*";

    private static final Duration POLL = Duration.ofSeconds(1);

    private final EventLog eventLog;
    private final OutboxStore outbox;
    private final Wire wire;
    private final TokenStore tokens;
    private final Committer committer;
    private final SegmentLease lease;
    private final Clock clock;
    private final int batch;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
    private @Nullable Token token;
    private @Nullable CompletableFuture<UnitOutcome> storing;
    private @Nullable StreamPosition published;
    private Instant retryAt = Instant.EPOCH;
    private volatile @Nullable Worker worker;

    /** @param owner unique to this replica */
    public OutboxPublisher(
            EventLog eventLog,
            OutboxStore outbox,
            Wire wire,
            TokenStore tokens,
            Committer committer,
            String owner,
            Clock clock,
            int batch) {
        this.eventLog = eventLog;
        this.outbox = outbox;
        this.wire = wire;
        this.tokens = tokens;
        this.committer = committer;
        this.lease = new SegmentLease(tokens, SEGMENT, owner, SegmentLease.DEFAULT_LEASE, clock);
        this.clock = clock;
        this.batch = batch;
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start(String service) {
        Worker started = Worker.start("holdfast-publisher-" + service, this::step);
        worker = started;
        return started;
    }

    /** Publishes one batch, if there is one and this replica holds the lease. */
    public Duration step() {
        Duration left = Duration.between(clock.instant(), retryAt);
        if (!left.isNegative() && !left.isZero()) {
            return left; // every commit wakes it; that must not make it knock at a wire that is down
        }
        try {
            return settled() ? publishNext() : POLL;
        } catch (RetryableException e) {
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
        Token stored = tokens.find(SEGMENT).orElse(null);
        StreamPosition reached = stored == null ? null : stored.positions().get(WHOLE_LOG);
        return eventLog.position() - (reached == null ? 0 : reached.position()) + outbox.unplaced();
    }

    /** Gives the lease back; to be called when no step runs. */
    public void release() {
        lease.release();
        token = null;
    }

    private Duration publishNext() {
        if (token == null) {
            tokens.initialize(SEGMENT, Map.of(WHOLE_LOG, StreamPosition.beginning(eventLog.identity())));
        }
        Optional<TokenClaim> claim = lease.hold();
        if (claim.isEmpty()) {
            token = null;
            return lease.retryAfter();
        }
        Token current = token != null ? token : tokens.find(SEGMENT).orElseThrow();
        token = current;
        outbox.place(batch);
        List<EventMessage> events = eventLog.readAll(position(current).position(), batch);
        if (!events.isEmpty()) {
            wire.publish(events);
            store(claim.get(), current, events.get(events.size() - 1).reached());
        }
        if (events.isEmpty()) {
            backoff.reset();
        }
        return POLL;
    }

    private void store(TokenClaim claim, Token from, StreamPosition reached) {
        published = reached;
        CompletableFuture<UnitOutcome> answer = committer.submit(
                CommitUnit.of(List.of(), new TokenAdvance(claim, from.version(), Map.of(WHOLE_LOG, reached))));
        storing = answer;
        var unused = answer.whenComplete((outcome, failure) -> wake());
    }

    /**
     * Whether the position of the batch before is stored; if that failed, the batch is published again.
     *
     * @throws RetryableException after a failure, so that the same batch is not put onto the wire without a pause
     */
    private boolean settled() {
        CompletableFuture<UnitOutcome> answer = storing;
        if (answer == null) {
            return true;
        }
        if (!answer.isDone()) {
            return false;
        }
        storing = null;
        Token from = token;
        StreamPosition reached = published;
        try {
            answer.join();
            if (from != null && reached != null) {
                token = new Token(SEGMENT, from.version() + 1, Map.of(WHOLE_LOG, reached));
            }
            backoff.reset();
            return true;
        } catch (CompletionException e) {
            token = null;
            lease.lose();
            throw new RetryableException(
                    "the publisher's position was not stored and is loaded again: " + e.getMessage(), e);
        }
    }

    private static StreamPosition position(Token token) {
        return Objects.requireNonNull(token.positions().get(WHOLE_LOG), "the publisher's position");
    }

    /** Makes the next step come at once: something was committed. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }
}

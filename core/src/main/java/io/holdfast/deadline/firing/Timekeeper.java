package io.holdfast.deadline.firing;

import io.holdfast.RetryableException;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentLease;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the due tasks of a service, on one replica at a time. The lease only saves work: what a task does is checked when
 * it commits. Not thread-safe, except for {@link #wakeBefore} and {@link #wake}.
 */
public final class Timekeeper {

    private static final Logger log = LoggerFactory.getLogger(Timekeeper.class);
    /** The consumer name of its lease, which is stored with those of the processors. */
    public static final String NAME = "timekeeper";

    private static final Segment SEGMENT = new Segment(NAME, 0);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final String service;
    private final TokenStore tokens;
    private final SegmentLease lease;
    private final DeadlineClock clock;
    private final Duration checkInterval;
    private final List<DueTask> tasks;
    private boolean initialized;
    private boolean failed;
    private volatile Instant nextRun = Instant.MIN;
    private volatile @Nullable Worker worker;

    /**
     * @param owner unique to this replica
     * @param wallClock determines only when to renew the lease
     * @param checkInterval the longest time between two runs; rows that other replicas write are found by then
     */
    public Timekeeper(
            String service,
            TokenStore tokens,
            String owner,
            Clock wallClock,
            DeadlineClock clock,
            Duration checkInterval,
            List<DueTask> tasks) {
        this.service = service;
        this.tokens = tokens;
        this.lease = new SegmentLease(tokens, SEGMENT, owner, SegmentLease.DEFAULT_LEASE, wallClock);
        this.clock = clock;
        this.checkInterval = checkInterval;
        this.tasks = List.copyOf(tasks);
    }

    /** Runs the tasks on an own thread until the worker is closed. */
    public Worker start() {
        Worker started = Worker.start("holdfast-timekeeper-" + service, this::step);
        worker = started;
        return started;
    }

    /** @return the time until the next step */
    public Duration step() {
        try {
            if (!initialized) {
                tokens.initialize(SEGMENT, Map.of());
                initialized = true;
            }
            if (lease.claimOrRenew().isEmpty()) {
                nextRun = Instant.MAX;
                return RETRY_DELAY;
            }
            clock.adjust();
            Duration wait = runTasks();
            failed = false;
            return wait;
        } catch (RetryableException e) {
            if (!failed) {
                log.warn("Deadlines of {} wait, retrying every {}: {}", service, RETRY_DELAY, e.getMessage());
            }
            failed = true;
            return RETRY_DELAY;
        }
    }

    private Duration runTasks() {
        nextRun = Instant.MAX; // a row that is committed from here on may wake the worker
        Instant latest = clock.now().plus(checkInterval);
        Instant next = latest;
        for (DueTask task : tasks) {
            Instant wanted = task.run(clock.now()).orElse(latest);
            next = wanted.isBefore(next) ? wanted : next;
        }
        nextRun = next;
        Duration wait = Duration.between(clock.now(), next);
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    /** Runs the tasks now, if they would otherwise run after this time. Cheap. */
    public void wakeBefore(Instant due) {
        if (due.isBefore(nextRun)) {
            wake();
        }
    }

    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }

    /** Releases the lease, so that another replica need not wait for it to expire. */
    public void release() {
        lease.release();
    }
}

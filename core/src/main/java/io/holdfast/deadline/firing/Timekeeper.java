package io.holdfast.deadline.firing;

import io.holdfast.RetryableException;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import io.holdfast.worker.SegmentLease;
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
    /** Long enough for another replica to claim the lease, which it tries every second. */
    private static final Duration HANDOVER_TIME = Duration.ofSeconds(3);
    /** No row wakes a worker that would not run the tasks. */
    private static final Instant NOT_RUNNING = Instant.MIN;

    private final String service;
    private final TokenStore tokens;
    private final SegmentLease lease;
    private final MonotonicClock monotonic;
    private final DeadlineClock clock;
    private final Duration checkInterval;
    private final List<DueTask> tasks;
    private boolean initialized;
    private boolean failed;
    private MonotonicTime claimAfter = MonotonicTime.MIN;
    private volatile Instant nextRun = NOT_RUNNING;
    private volatile @Nullable Worker worker;

    /**
     * @param owner unique to this replica
     * @param wallClock determines only when to renew the lease, or to claim it again
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
        this.monotonic = MonotonicClock.of(wallClock);
        this.clock = clock;
        this.checkInterval = checkInterval;
        this.tasks = List.copyOf(tasks);
    }

    /** Runs the tasks on an own thread until the worker is closed. */
    public synchronized Worker start() {
        Worker started = Worker.start("holdfast-timekeeper-" + service, this::step);
        worker = started;
        return started;
    }

    /** @return the time until the next step */
    public Duration step() {
        try {
            Duration wait = claimAndRun();
            failed = false;
            return wait;
        } catch (RetryableException e) {
            if (!failed) {
                log.warn("Deadlines of {} wait, retrying every {}: {}", service, RETRY_DELAY, e.getMessage());
            }
            failed = true;
            nextRun = NOT_RUNNING;
            return RETRY_DELAY;
        }
    }

    private Duration claimAndRun() {
        nextRun = NOT_RUNNING;
        Duration handingOver = monotonic.time().until(claimAfter);
        if (!handingOver.isZero()) {
            return handingOver;
        }
        if (!initialized) {
            tokens.initialize(SEGMENT, Map.of());
            initialized = true;
        }
        if (lease.claimOrRenew().isEmpty()) {
            initialized = tokens.find(SEGMENT).isPresent(); // a failover may have lost it
            return RETRY_DELAY;
        }
        clock.adjust();
        try {
            return runTasks();
        } catch (UnsupportedHereException e) {
            return handOver(e);
        }
    }

    private Duration runTasks() {
        nextRun = Instant.MAX; // a row that is committed from here on may wake the worker
        Instant latest = clock.now().plus(checkInterval);
        Instant next = latest;
        RuntimeException failure = null;
        for (DueTask task : tasks) {
            try {
                Instant wanted = task.run(clock.now()).orElse(latest);
                next = wanted.isBefore(next) ? wanted : next;
            } catch (RuntimeException e) { // thrown when the other tasks have run
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        nextRun = next;
        Duration wait = Duration.between(clock.now(), next);
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    /** Lets another replica claim the lease, which may run the version that can do what is due. */
    private Duration handOver(UnsupportedHereException cause) {
        log.warn("Deadlines of {} are handed over to another replica: {}", service, cause.getMessage());
        nextRun = NOT_RUNNING;
        lease.release();
        claimAfter = monotonic.time().plus(HANDOVER_TIME);
        return HANDOVER_TIME;
    }

    /** Runs the tasks now, if they would otherwise run after this time. Cheap. */
    public void wakeBefore(Instant due) {
        if (due.isBefore(nextRun)) {
            wake();
        }
    }

    /** Runs the tasks now. Waits for {@link #start}, because the first step may run before the worker is known. */
    public synchronized void wake() {
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

package io.holdfast.service;

import io.holdfast.processing.segment.PooledRun;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for handlers, shared fairly between the processors of a service. Handlers that hang never return their
 * threads, so they must not reduce those of other processors:
 *
 * <ul>
 *   <li>A processor may use every idle thread, up to its limit.
 *   <li>A processor with fewer than its fair share of threads never waits for the others. If they use all threads, it
 *       gets a further one, and they start nothing new until the number of threads is back to normal.
 *   <li>A run whose handler has been busy for longer than {@link #LONG_CALL} no longer occupies one of the threads; it
 *       counts only for the limit of its own processor.
 * </ul>
 *
 * <p>Each segment submits at most one run at a time, so the number of segments bounds the queues. The threads are never
 * interrupted, and end when they are idle. Thread-safe.
 */
final class HandlerThreads implements AutoCloseable {

    static final String WAITING = "processor.waiting";
    static final Duration LONG_CALL = Duration.ofSeconds(1);

    /**
     * Handlers still running after this time are abandoned; the next owner of their segment handles their events again.
     * Short, because the service has already waited for its handlers when it closes the pool.
     */
    private static final Duration TERMINATION_TIMEOUT = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

    private final int threads;
    private final MeterRegistry metrics;
    private final ThreadPoolExecutor pool;
    private final Executor later;
    /** The processor that was served last is the last one, so that equally busy ones alternate. */
    private final List<Share> shares = new ArrayList<>();

    private boolean startsLater;

    HandlerThreads(String service, int threads, MeterRegistry metrics) {
        this(
                service,
                threads,
                metrics,
                CompletableFuture.delayedExecutor(LONG_CALL.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
    }

    /** @param later executes a task after {@link #LONG_CALL} */
    HandlerThreads(String service, int threads, MeterRegistry metrics, Executor later) {
        this.threads = threads;
        this.metrics = metrics;
        this.later = later;
        AtomicInteger number = new AtomicInteger();
        this.pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), run -> {
            Thread thread = new Thread(run, "holdfast-handlers-" + service + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    int threads() {
        return threads;
    }

    /**
     * Returns the executor of a processor.
     *
     * @param limit the maximum number of its runs at a time
     */
    synchronized Executor share(String processor, int limit) {
        Share share = new Share(limit);
        shares.add(share);
        Gauge.builder(WAITING, share, this::waiting)
                .description("Segments that wait for a handler thread")
                .tag("processor", processor)
                .register(metrics);
        return share;
    }

    private synchronized int waiting(Share share) {
        return share.waiting.size();
    }

    private synchronized void submit(Share share, Runnable run) {
        share.waiting.add(run);
        startThreads();
    }

    /** Executes runs until none may start. */
    private void work(StartedRun first) {
        StartedRun current = first;
        while (current != null) {
            boolean returned = false;
            StartedRun next;
            try {
                current.run.run();
                returned = true;
            } finally {
                next = finish(current, returned);
            }
            current = next;
        }
    }

    /** @return the next run for the current thread; null if none may start, or if an error ends the thread */
    private synchronized @Nullable StartedRun finish(StartedRun finished, boolean isThreadUsable) {
        finished.share.running.remove(finished);
        StartedRun next = isThreadUsable ? poll() : null;
        if (!pool.isShutdown()) {
            startThreads(); // a processor that became idle raises the fair share of all others
        }
        return next;
    }

    private void startThreads() {
        for (StartedRun next = poll(); next != null; next = poll()) {
            StartedRun started = next;
            pool.execute(() -> work(started));
        }
        if (!startsLater && shares.stream().anyMatch(share -> !share.waiting.isEmpty())) {
            startsLater = true; // handlers that run now may turn out to hang
            later.execute(this::startThreadsLater);
        }
    }

    private synchronized void startThreadsLater() {
        startsLater = false;
        if (!pool.isShutdown()) {
            startThreads();
        }
    }

    /** Returns the next run of the processor that has the fewest running ones; null if none may start. */
    private @Nullable StartedRun poll() {
        Share next = null;
        for (Share share : shares) {
            if (mayStart(share) && (next == null || share.running.size() < next.running.size())) {
                next = share;
            }
        }
        if (next == null) {
            return null;
        }
        shares.remove(next);
        shares.add(next);
        StartedRun started = new StartedRun(next, next.waiting.remove());
        next.running.add(started);
        return started;
    }

    private boolean mayStart(Share share) {
        return !share.waiting.isEmpty()
                && share.running.size() < share.limit
                && (share.running.size() < fairShare() || occupied() < threads);
    }

    private long occupied() {
        return shares.stream()
                .flatMap(share -> share.running.stream())
                .filter(run -> !run.isInLongCall())
                .count();
    }

    /** Returns the number of threads per processor that has work, rounded up. */
    private int fairShare() {
        int active = (int) shares.stream().filter(Share::isActive).count();
        return (threads + active - 1) / Math.max(1, active);
    }

    @Override
    public void close() {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(TERMINATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn(
                        "{} handlers are still running after {}; their effects will not be committed",
                        pool.getActiveCount(),
                        TERMINATION_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the interrupt was meant for the caller
        }
    }

    /** Compared by identity. */
    private static final class StartedRun {

        private final Share share;
        private final Runnable run;

        StartedRun(Share share, Runnable run) {
            this.share = share;
            this.run = run;
        }

        boolean isInLongCall() {
            return run instanceof PooledRun pooled && pooled.nanosSinceProgress() > LONG_CALL.toNanos();
        }
    }

    /** The runs of one processor. Guarded by the lock of the threads. */
    private final class Share implements Executor {

        private final int limit;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private final List<StartedRun> running = new ArrayList<>();

        Share(int limit) {
            this.limit = limit;
        }

        @Override
        public void execute(Runnable run) {
            submit(this, run);
        }

        boolean isActive() {
            return !running.isEmpty() || !waiting.isEmpty();
        }
    }
}

package io.holdfast.service;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread pool for handlers, shared by all processors of a service. Each segment submits at most one task at a time,
 * so the number of segments bounds the queue. The threads are never interrupted. Thread-safe.
 */
final class HandlerThreads implements Executor, AutoCloseable {

    /**
     * Handlers still running after this time are abandoned; the next owner of their segment handles their events again.
     * Short, because the service has already waited for its handlers when it closes the pool.
     */
    private static final Duration TERMINATION_TIMEOUT = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

    private final ThreadPoolExecutor pool;

    HandlerThreads(String service, int threads) {
        AtomicInteger number = new AtomicInteger();
        this.pool = new ThreadPoolExecutor(threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), run -> {
            Thread thread = new Thread(run, "holdfast-handlers-" + service + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable run) {
        pool.execute(run);
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
}

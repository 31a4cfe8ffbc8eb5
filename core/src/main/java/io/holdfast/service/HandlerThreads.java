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
 * The threads that handlers run on, shared by all processors of a service. Each segment has one run at most, so what waits
 * is bounded by the segments. They are never interrupted.
 */
final class HandlerThreads implements Executor, AutoCloseable {

    /**
     * What has not ended by then is left to itself; its events are handled again by whoever has them next. Short: who closes
     * them has waited for the handlers before.
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
                        "{} handlers have not ended within {}; what they do goes nowhere",
                        pool.getActiveCount(),
                        TERMINATION_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // for the caller, who was interrupted
        }
    }
}

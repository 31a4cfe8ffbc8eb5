package io.holdfast.saga.orchestration;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads for blocking calls of sagas, so that a slow call delays only its own saga. If all of them are busy, the
 * handler thread makes the call. They are never interrupted. Thread-safe.
 */
final class CallThreads implements AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    CallThreads(String service, int size) {
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                0,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "holdfast-saga-calls-" + service + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.CallerRunsPolicy());
    }

    <T> CompletableFuture<T> supply(Callable<T> call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return call.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    /** Accepts no further calls. Running ones are not stopped; their results are dropped. */
    @Override
    public void close() {
        threads.shutdown();
    }
}

package io.holdfast.wire;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which one replica serves requests, for adapters. They are its own, so that a slow server blocks
 * neither the wire nor other replicas of the process. Thread-safe.
 */
public final class OperationThreads implements AutoCloseable {

    /** Requests that one replica serves at a time. */
    public static final int DEFAULT_THREADS = 4;
    /** Further requests that wait for a thread. */
    public static final int DEFAULT_QUEUE = 100;

    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    public OperationThreads(String replica) {
        this.threads = new ThreadPoolExecutor(
                DEFAULT_THREADS,
                DEFAULT_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(DEFAULT_QUEUE),
                work -> daemon(work, "holdfast-operations-" + replica),
                new ThreadPoolExecutor.AbortPolicy());
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** @return false if too many requests are waiting, or the threads are closed; then the work is not run */
    public boolean execute(Runnable work) {
        try {
            threads.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Lets requests that were accepted finish, without waiting for them. Idempotent. */
    @Override
    public void close() {
        threads.shutdown();
    }
}

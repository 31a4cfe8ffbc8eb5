package io.holdfast.memory;

import io.holdfast.RetryableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Who may commit. Not owned by a thread: a crashed session gives it back by being closed. */
final class InMemoryHead {

    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private final Semaphore free = new Semaphore(1, true);
    private volatile long commits;

    /** @throws RetryableException if another keeps it for too long */
    void lock() {
        boolean taken;
        try {
            taken = free.tryAcquire(LOCK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // for the caller, who was interrupted
            throw new RetryableException("interrupted while waiting for the head of the log; nothing was done", e);
        }
        if (!taken) {
            throw new RetryableException("another commit has held the head of the log for more than " + LOCK_TIMEOUT);
        }
    }

    void unlock() {
        free.release();
    }

    /** Runs something while nobody else commits. */
    void runLocked(Runnable work) {
        lock();
        try {
            work.run();
        } finally {
            unlock();
        }
    }

    long commits() {
        return commits;
    }

    /** Only by whoever holds it. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one holder at a time
    long raise() {
        return ++commits;
    }
}

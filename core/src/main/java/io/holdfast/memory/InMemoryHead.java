package io.holdfast.memory;

import io.holdfast.RetryableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The lock that serializes commits. No thread owns it: closing a crashed session unlocks it. */
final class InMemoryHead {

    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private final Semaphore free = new Semaphore(1, true);

    /** @throws RetryableException if another session keeps it locked for too long */
    void lock() {
        boolean locked;
        try {
            locked = free.tryAcquire(LOCK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // restored for the caller
            throw new RetryableException(
                    "interrupted while waiting for the head lock of the log; nothing was committed", e);
        }
        if (!locked) {
            throw new RetryableException("another commit has locked the head of the log for more than " + LOCK_TIMEOUT
                    + "; nothing was committed, retry later");
        }
    }

    void unlock() {
        free.release();
    }

    /** Runs the work while no other session commits. */
    void runLocked(Runnable work) {
        lock();
        try {
            work.run();
        } finally {
            unlock();
        }
    }
}

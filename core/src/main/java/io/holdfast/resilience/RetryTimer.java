package io.holdfast.resilience;

import java.time.Duration;

/** Waits between two attempts. Thread-safe. */
public interface RetryTimer {

    /**
     * Blocks the caller's thread.
     *
     * @return whether the next attempt may start; false if the thread was interrupted, which it then still is
     */
    boolean pause(Duration wait);

    /** Runs a task on another thread after a delay, without blocking the caller. */
    void schedule(Duration wait, Runnable task);
}

package io.holdfast.resilience;

import java.time.Duration;

/** How the time between two attempts passes. For any number of threads. */
public interface RetryTimer {

    /**
     * Lets the caller's thread wait.
     *
     * @return false if it was interrupted, and still is: there is to be no further attempt
     */
    boolean pause(Duration wait);

    /** Runs a task later, on another thread; the caller's does not wait. */
    void schedule(Duration wait, Runnable task);
}

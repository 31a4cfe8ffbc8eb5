package io.holdfast.worker;

import java.time.Clock;

/**
 * Measures intervals. Unlike a wall clock ({@link Clock}) it is never set, so nothing that waits on it waits too long
 * or ends early when an operator or NTP sets the wall clock. The wall clock is for times that are stored or shown.
 * Thread-safe.
 */
@FunctionalInterface
public interface MonotonicClock {

    MonotonicTime time();

    /**
     * Returns the clock that measures intervals next to a wall clock: the wall clock itself if it implements this
     * interface, as a test's {@code ManualClock} does, otherwise {@link System#nanoTime}.
     */
    static MonotonicClock of(Clock wallClock) {
        return wallClock instanceof MonotonicClock monotonic ? monotonic : SystemTime.CLOCK;
    }
}

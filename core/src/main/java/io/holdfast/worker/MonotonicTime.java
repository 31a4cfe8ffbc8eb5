package io.holdfast.worker;

import java.time.Duration;

/**
 * A point in time on a {@link MonotonicClock}. It is not a date: compare it only with times of the same clock.
 *
 * @param nanos nanoseconds since the clock's origin
 */
public record MonotonicTime(long nanos) implements Comparable<MonotonicTime> {

    /** Before every other time. */
    public static final MonotonicTime MIN = new MonotonicTime(Long.MIN_VALUE);
    /** After every other time. */
    public static final MonotonicTime MAX = new MonotonicTime(Long.MAX_VALUE);

    public MonotonicTime plus(Duration time) {
        try {
            return new MonotonicTime(Math.addExact(nanos, time.toNanos()));
        } catch (ArithmeticException e) {
            return time.isNegative() ? MIN : MAX;
        }
    }

    public MonotonicTime minus(Duration time) {
        try {
            return new MonotonicTime(Math.subtractExact(nanos, time.toNanos()));
        } catch (ArithmeticException e) {
            return time.isNegative() ? MAX : MIN;
        }
    }

    public boolean isBefore(MonotonicTime other) {
        return nanos < other.nanos;
    }

    public boolean isAfter(MonotonicTime other) {
        return nanos > other.nanos;
    }

    /** Returns the time from here to a later time; zero if that is not later. */
    public Duration until(MonotonicTime later) {
        if (!later.isAfter(this)) {
            return Duration.ZERO;
        }
        long between = later.nanos - nanos;
        return Duration.ofNanos(between < 0 ? Long.MAX_VALUE : between); // negative if it overflowed
    }

    @Override
    public int compareTo(MonotonicTime other) {
        return Long.compare(nanos, other.nanos);
    }
}

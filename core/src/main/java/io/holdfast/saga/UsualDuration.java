package io.holdfast.saga;

import java.time.Duration;

/**
 * How long a saga usually awaits an event. The values are rounded up, by at most a fifth.
 *
 * @param p50 half of the sagas waited no longer
 * @param p99 99 % of the sagas waited no longer
 */
public record UsualDuration(Duration p50, Duration p99) {

    /** No event is overdue before this time, because short delays are noise. */
    public static final Duration MIN_OVERDUE = Duration.ofSeconds(1);

    /** Returns whether an event that a saga has awaited for this time is overdue. */
    public boolean isExceededBy(Duration waiting) {
        Duration limit = p99.multipliedBy(2);
        return waiting.compareTo(limit.compareTo(MIN_OVERDUE) > 0 ? limit : MIN_OVERDUE) > 0;
    }
}

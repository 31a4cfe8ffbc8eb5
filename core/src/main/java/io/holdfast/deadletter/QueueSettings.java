package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * Settings of a component's dead-letter queue: {@code framework.dlq.*}, {@code framework.processors.<name>.dlq.*}.
 *
 * @param enabled if false, an event that would become PENDING blocks its segment instead. No event is skipped in either
 *     case
 * @param cacheSize the number of PENDING sequences that each segment caches in memory; beyond it, or with 0, each batch
 *     needs one query for the parked ones among its sequences
 */
public record QueueSettings(boolean enabled, QueueLimits limits, int cacheSize, EnqueuePolicy policy) {

    public static final int DEFAULT_CACHE_SIZE = 1024;

    public static final QueueSettings DEFAULT =
            new QueueSettings(true, QueueLimits.DEFAULT, DEFAULT_CACHE_SIZE, EnqueuePolicy.ALWAYS_ENQUEUE);

    public QueueSettings {
        if (limits.maxSequences() < 1) {
            throw new PermanentException("max-sequences of a dead-letter queue must be 1 or more, but is "
                    + limits.maxSequences() + "; to use no queue, disable it");
        }
        if (cacheSize < 0) {
            throw new PermanentException("cache.size of a dead-letter queue must be 0 or more, but is " + cacheSize);
        }
    }

    /** Returns the limits that the store enforces: a disabled queue allows no PENDING sequence. */
    public QueueLimits effectiveLimits() {
        return enabled ? limits : new QueueLimits(0, limits.maxSequenceSize(), limits.maxWaiting());
    }
}

package io.holdfast.deadletter;

import io.holdfast.PermanentException;

/**
 * How the queue of a component works: {@code framework.dlq.*}, {@code framework.processors.<name>.dlq.*}.
 *
 * @param enabled if not, what would wait for a person holds its segment instead; nothing is skipped in any case
 * @param cacheSize how many sequences of a segment that wait for a person are known in memory; beyond, or with 0, one query
 *     for each batch asks which of its sequences are parked
 */
public record QueueSettings(boolean enabled, QueueLimits limits, int cacheSize, EnqueuePolicy policy) {

    public static final int DEFAULT_CACHE_SIZE = 1024;

    public static final QueueSettings DEFAULT =
            new QueueSettings(true, QueueLimits.DEFAULT, DEFAULT_CACHE_SIZE, EnqueuePolicy.ALWAYS_ENQUEUE);

    public QueueSettings {
        if (limits.maxSequences() < 1) {
            throw new PermanentException("max-sequences of a dead-letter queue must be 1 or more, but is "
                    + limits.maxSequences() + "; to switch the queue off, disable it");
        }
        if (cacheSize < 0) {
            throw new PermanentException("cache.size of a dead-letter queue must be 0 or more, but is " + cacheSize);
        }
    }

    /** What the store has to keep to: nothing may wait for a person in a queue that is switched off. */
    public QueueLimits effectiveLimits() {
        return enabled ? limits : new QueueLimits(0, limits.maxSequenceSize(), limits.maxWaiting());
    }
}

package io.holdfast.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/** The sequences of all keys. Each key belongs to one of the callers, so that they never meet on one. */
final class KeyCounters {

    private final AtomicLongArray versions = new AtomicLongArray(AppendVariant.KEYS);

    /** Any key of a caller's. */
    static int randomKey(int caller, int callers) {
        return ThreadLocalRandom.current().nextInt(AppendVariant.KEYS / callers) * callers + caller;
    }

    long nextVersion(int key) {
        return versions.incrementAndGet(key);
    }
}

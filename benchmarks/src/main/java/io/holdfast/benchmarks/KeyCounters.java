package io.holdfast.benchmarks;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/** The versions of all keys. Each key belongs to one caller, so that callers never conflict. */
final class KeyCounters {

    private final AtomicLongArray versions = new AtomicLongArray(AppendVariant.KEYS);

    /** Returns a random key of the caller. */
    static int randomKey(int caller, int callers) {
        return ThreadLocalRandom.current().nextInt(AppendVariant.KEYS / callers) * callers + caller;
    }

    long nextVersion(int key) {
        return versions.incrementAndGet(key);
    }
}

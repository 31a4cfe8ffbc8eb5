package io.holdfast.saga.statistics;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counts durations in buckets whose upper bounds grow by a factor of 2^(1/4), from 1 ms to seven weeks. So a percentile is
 * exact to about a fifth, and histograms of several replicas can be added. Immutable.
 *
 * <p>Stored as {@code [bucket, count, bucket, count, …]}. The bounds are part of this format.
 *
 * @param counts the number of durations by bucket; empty buckets are left out
 */
record DurationHistogram(SortedMap<Integer, Long> counts) {

    static final DurationHistogram EMPTY = new DurationHistogram(Collections.emptySortedMap());

    private static final int BUCKETS_PER_DOUBLING = 4;
    private static final int DOUBLINGS = 32;

    /** The upper bounds of all buckets, in nanoseconds. */
    private static final long[] BOUNDS = bounds();

    DurationHistogram {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    private static long[] bounds() {
        long[] bounds = new long[BUCKETS_PER_DOUBLING * DOUBLINGS + 1];
        double millisecond = Duration.ofMillis(1).toNanos();
        for (int bucket = 0; bucket < bounds.length; bucket++) {
            bounds[bucket] = Math.round(millisecond * StrictMath.pow(2, (double) bucket / BUCKETS_PER_DOUBLING));
        }
        return bounds;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static DurationHistogram read(long[] stored) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        for (int i = 0; i + 1 < stored.length; i += 2) {
            counts.merge(inRange(stored[i]), stored[i + 1], Long::sum);
        }
        return new DurationHistogram(counts);
    }

    @JsonValue
    long[] stored() {
        return counts.entrySet().stream()
                .flatMapToLong(count -> LongStream.of(count.getKey(), count.getValue()))
                .toArray();
    }

    static DurationHistogram of(Duration... durations) {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        Stream.of(durations).forEach(duration -> counts.merge(bucketOf(duration), 1L, Long::sum));
        return new DurationHistogram(counts);
    }

    /** Returns the bucket of a duration. One that is too short or too long for all buckets is in the first or last one. */
    static int bucketOf(Duration duration) {
        if (duration.compareTo(boundOf(BOUNDS.length - 1)) >= 0) {
            return BOUNDS.length - 1;
        }
        int found = Arrays.binarySearch(BOUNDS, duration.toNanos());
        return found >= 0 ? found : -found - 1;
    }

    private static Duration boundOf(int bucket) {
        return Duration.ofNanos(BOUNDS[bucket]);
    }

    private static int inRange(long bucket) {
        return (int) Math.max(0, Math.min(bucket, BOUNDS.length - 1));
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Returns the number of durations. */
    long count() {
        long count = 0;
        for (long inBucket : counts.values()) {
            count += inBucket;
        }
        return count;
    }

    /**
     * Returns a duration that this percentage of all durations does not exceed: the upper bound of its bucket.
     *
     * @throws IllegalStateException if there are no durations
     */
    Duration percentile(int percent) {
        long rank = Math.max(1, (count() * percent + 99) / 100);
        long passed = 0;
        for (Map.Entry<Integer, Long> count : counts.entrySet()) {
            passed += count.getValue();
            if (passed >= rank) {
                return boundOf(count.getKey());
            }
        }
        throw new IllegalStateException("an empty histogram has no percentiles");
    }

    DurationHistogram plus(DurationHistogram other) {
        SortedMap<Integer, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum));
        return new DurationHistogram(sum);
    }

    /**
     * Returns every second duration, in their order, so that percentiles stay and rare ones are not all lost, as they
     * would be if each bucket were rounded.
     */
    DurationHistogram halved() {
        SortedMap<Integer, Long> half = new TreeMap<>();
        long passed = 0;
        for (Map.Entry<Integer, Long> count : counts.entrySet()) {
            long before = passed;
            passed += count.getValue();
            long kept = passed / 2 - before / 2;
            if (kept > 0) {
                half.put(count.getKey(), kept);
            }
        }
        return new DurationHistogram(half);
    }
}

package io.holdfast.saga.statistics;

import io.holdfast.saga.UsualDurations.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What this replica has measured and not stored yet. Its size depends on the steps, not on the sagas. Thread-safe. */
final class CollectedDurations {

    private final Map<Step, SortedMap<Integer, Long>> counts = new HashMap<>();

    synchronized void add(Step step, Duration duration) {
        counts.computeIfAbsent(step, unknown -> new TreeMap<>())
                .merge(DurationHistogram.bucketOf(duration), 1L, Long::sum);
    }

    /** Adds what could not be stored. */
    synchronized void addAll(Map<Step, DurationHistogram> histograms) {
        histograms.forEach((step, histogram) -> {
            SortedMap<Integer, Long> buckets = counts.computeIfAbsent(step, unknown -> new TreeMap<>());
            histogram.counts().forEach((bucket, count) -> buckets.merge(bucket, count, Long::sum));
        });
    }

    /** Returns everything, and starts again. */
    synchronized Map<Step, DurationHistogram> drain() {
        Map<Step, DurationHistogram> drained = new HashMap<>();
        counts.forEach((step, buckets) -> drained.put(step, new DurationHistogram(buckets)));
        counts.clear();
        return drained;
    }
}

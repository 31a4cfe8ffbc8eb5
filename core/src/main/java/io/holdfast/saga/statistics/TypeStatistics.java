package io.holdfast.saga.statistics;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How long the sagas of one type awaited each of their steps, on all replicas. A row of the view
 * {@code saga-statistics}. Immutable.
 *
 * @param halvedAt when the counts were halved last, or the first ones were stored
 * @param done how long a saga awaited the action of a step, by its name
 * @param undone how long a saga awaited its compensation or withdrawal
 */
record TypeStatistics(
        Instant halvedAt, SortedMap<String, DurationHistogram> done, SortedMap<String, DurationHistogram> undone) {

    static final View<TypeStatistics> VIEW = new View<>("saga-statistics", TypeStatistics.class);

    /** So that the statistics follow a service that becomes faster or slower. */
    static final Duration HALVING_INTERVAL = Duration.ofDays(1);

    /** The 99th percentile of fewer durations is a guess. */
    static final long MIN_SAMPLES = 100;

    TypeStatistics {
        done = Collections.unmodifiableSortedMap(new TreeMap<>(done));
        undone = Collections.unmodifiableSortedMap(new TreeMap<>(undone));
    }

    @JsonCreator
    static TypeStatistics read(
            @JsonProperty("halvedAt") Instant halvedAt,
            @JsonProperty("done") @Nullable Map<String, DurationHistogram> done,
            @JsonProperty("undone") @Nullable Map<String, DurationHistogram> undone) {
        return new TypeStatistics(halvedAt, sorted(done), sorted(undone));
    }

    private static SortedMap<String, DurationHistogram> sorted(@Nullable Map<String, DurationHistogram> histograms) {
        return histograms == null ? new TreeMap<>() : new TreeMap<>(histograms);
    }

    static TypeStatistics empty(Instant now) {
        return new TypeStatistics(now, new TreeMap<>(), new TreeMap<>());
    }

    /** Returns the same statistics with more durations. Those of the steps of other types are ignored. */
    TypeStatistics plus(String type, Map<UsualDurations.Step, DurationHistogram> more) {
        SortedMap<String, DurationHistogram> moreDone = new TreeMap<>(done);
        SortedMap<String, DurationHistogram> moreUndone = new TreeMap<>(undone);
        more.forEach((step, histogram) -> {
            if (step.sagaType().equals(type)) {
                (step.undone() ? moreUndone : moreDone).merge(step.name(), histogram, DurationHistogram::plus);
            }
        });
        return new TypeStatistics(halvedAt, moreDone, moreUndone);
    }

    /**
     * Returns these statistics with halved counts, if a day has passed since the last time. Several days count as one:
     * a weekend without sagas is no reason to forget them.
     */
    TypeStatistics halvedDaily(Instant now) {
        return now.isBefore(halvedAt.plus(HALVING_INTERVAL))
                ? this
                : new TypeStatistics(now, halved(done), halved(undone));
    }

    private static SortedMap<String, DurationHistogram> halved(SortedMap<String, DurationHistogram> histograms) {
        SortedMap<String, DurationHistogram> halved = new TreeMap<>();
        histograms.forEach((step, histogram) -> {
            DurationHistogram half = histogram.halved();
            if (!half.isEmpty()) {
                halved.put(step, half);
            }
        });
        return halved;
    }

    /** Reports what is usual for each step that was measured often enough. */
    void forEachUsual(String type, BiConsumer<UsualDurations.Step, UsualDuration> consumer) {
        forEachUsual(type, false, done, consumer);
        forEachUsual(type, true, undone, consumer);
    }

    private static void forEachUsual(
            String type,
            boolean isUndo,
            Map<String, DurationHistogram> histograms,
            BiConsumer<UsualDurations.Step, UsualDuration> consumer) {
        histograms.forEach((step, histogram) -> {
            if (histogram.count() >= MIN_SAMPLES) {
                UsualDuration usual = new UsualDuration(histogram.percentile(50), histogram.percentile(99));
                consumer.accept(new UsualDurations.Step(type, step, isUndo), usual);
            }
        });
    }
}

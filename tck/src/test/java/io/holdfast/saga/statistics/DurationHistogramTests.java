package io.holdfast.saga.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.property.Property;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationHistogramTests {

    private static final int RUNS = 300;
    /** The factor between the bounds of a bucket, and a nanosecond of rounding. */
    private static final double FACTOR = Math.pow(2, 0.25) * 1.000_001;

    private final PayloadCodec codec = new PayloadCodec();

    @ParameterizedTest
    @CsvSource({
        "PT-1S, 0",
        "PT0S, 0",
        "PT0.001S, 0",
        "PT0.001000001S, 1",
        "PT0.002S, 4",
        "PT1.024S, 40",
        "PT1.025S, 41",
        "PT30S, 60",
        "P49D, 128",
        "P36500D, 128"
    })
    void countsADurationInTheBucketWhoseBoundItDoesNotExceed(Duration duration, int bucket) {
        assertThat(DurationHistogram.bucketOf(duration)).isEqualTo(bucket);
    }

    @Test
    void percentilesAreWithinOneBucketOfTheExactValue() {
        durations("percentiles").verify(RUNS, durations -> {
            DurationHistogram histogram = histogram(durations);
            for (int percent : List.of(1, 50, 90, 99, 100)) {
                if (!durations.isEmpty()) {
                    double exact = exact(durations, percent).toNanos();
                    double estimate = histogram.percentile(percent).toNanos();
                    assertThat(estimate).as("p%d", percent).isBetween(exact, Math.max(1_000_000, exact * FACTOR));
                }
            }
        });
    }

    @Test
    void additionIsCommutativeAndAssociativeAndLosesNothing() {
        durations("addition").verify(RUNS, durations -> {
            int third = durations.size() / 3;
            DurationHistogram a = histogram(durations.subList(0, third));
            DurationHistogram b = histogram(durations.subList(third, 2 * third));
            DurationHistogram c = histogram(durations.subList(2 * third, durations.size()));

            assertThat(a.plus(b)).isEqualTo(b.plus(a));
            assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c))).isEqualTo(histogram(durations));
            assertThat(a.plus(DurationHistogram.EMPTY)).isEqualTo(a);
        });
    }

    @Test
    void halvingKeepsEverySecondDurationInTheirOrder() {
        durations("halving").verify(RUNS, durations -> {
            List<Duration> sorted = durations.stream().sorted().toList();
            Duration[] everySecond = Stream.iterate(1, i -> i < sorted.size(), i -> i + 2)
                    .map(sorted::get)
                    .toArray(Duration[]::new);

            DurationHistogram half = histogram(durations).halved();

            assertThat(half).isEqualTo(DurationHistogram.of(everySecond));
            assertThat(half.count()).isEqualTo(durations.size() / 2);
        });
    }

    @Test
    void isStoredAsAShortListAndReadAgain() {
        durations("storing").verify(RUNS, durations -> {
            DurationHistogram histogram = histogram(durations);

            assertThat(codec.decode(codec.encode(histogram), DurationHistogram.class))
                    .isEqualTo(histogram);
        });
        DurationHistogram histogram = DurationHistogram.of(Duration.ofMillis(2), Duration.ofMillis(2), Duration.ZERO);
        assertThat(codec.encode(histogram).json()).isEqualTo("[0,1,4,2]");
    }

    @Test
    void countsBucketsThatItDoesNotKnowInTheLastOne() {
        Payload stored = new Payload("DurationHistogram", 1, "[-1,1,128,2,500,3]");

        assertThat(codec.decode(stored, DurationHistogram.class).counts())
                .containsOnlyKeys(0, 128)
                .containsEntry(128, 5L);
    }

    private static Property<Duration> durations(String name) {
        return Property.of(name, random -> Stream.generate(() -> random(random))
                .limit(random.nextInt(1, 300))
                .toList());
    }

    /** Every order of magnitude is equally likely. */
    private static Duration random(SplittableRandom random) {
        return Duration.ofNanos((long)
                Math.exp(random.nextDouble(0, Math.log(Duration.ofDays(40).toNanos()))));
    }

    private static DurationHistogram histogram(List<Duration> durations) {
        return DurationHistogram.of(durations.toArray(Duration[]::new));
    }

    private static Duration exact(List<Duration> durations, int percent) {
        int rank = (int) Math.ceil(durations.size() * percent / 100.0);
        return durations.stream().sorted().toList().get(rank - 1);
    }
}

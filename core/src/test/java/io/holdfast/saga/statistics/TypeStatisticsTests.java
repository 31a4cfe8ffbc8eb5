package io.holdfast.saga.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TypeStatisticsTests {

    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");
    private static final Step CAR = new Step("Trip", "CarRented", false);
    private static final Step CAR_UNDO = new Step("Trip", "CarRented", true);
    private static final Step OTHER = new Step("Tour", "CarRented", false);

    @Test
    void addsTheDurationsOfItsTypeByStepAndDirection() {
        TypeStatistics sum = TypeStatistics.empty(T)
                .plus("Trip", Map.of(CAR, seconds(1), CAR_UNDO, seconds(2, 3), OTHER, seconds(4)))
                .plus("Trip", Map.of(CAR, seconds(5)));

        assertThat(sum.done()).isEqualTo(Map.of("CarRented", seconds(1, 5)));
        assertThat(sum.undone()).isEqualTo(Map.of("CarRented", seconds(2, 3)));
    }

    @Test
    void halvesAfterADay() {
        TypeStatistics statistics =
                TypeStatistics.empty(T).plus("Trip", Map.of(CAR, seconds(1, 2, 3, 4), CAR_UNDO, seconds(5)));
        Instant dayLater = T.plus(TypeStatistics.HALVING_INTERVAL);

        assertThat(statistics.halvedDaily(dayLater.minusNanos(1))).isEqualTo(statistics);
        TypeStatistics halved = statistics.halvedDaily(dayLater);
        assertThat(halved).isEqualTo(TypeStatistics.empty(dayLater).plus("Trip", Map.of(CAR, seconds(2, 4))));
        assertThat(halved.halvedDaily(dayLater.plusSeconds(1))).isEqualTo(halved);
    }

    @Test
    void keepsMostAfterAQuietWeek() {
        TypeStatistics statistics = TypeStatistics.empty(T).plus("Trip", Map.of(CAR, seconds(1, 2, 3, 4)));

        assertThat(statistics.halvedDaily(T.plus(Duration.ofDays(7))).done())
                .isEqualTo(Map.of("CarRented", seconds(2, 4)));
    }

    @Test
    void reportsWhatWasMeasuredOftenEnough() {
        DurationHistogram often = many(100);
        TypeStatistics statistics = TypeStatistics.empty(T).plus("Trip", Map.of(CAR, often, CAR_UNDO, many(99)));
        Map<Step, UsualDuration> usual = new HashMap<>();

        statistics.forEachUsual("Trip", usual::put);

        assertThat(usual).isEqualTo(Map.of(CAR, new UsualDuration(often.percentile(50), often.percentile(99))));
    }

    @Test
    void isStoredAsShortJsonAndReadAgain() {
        PayloadCodec codec = new PayloadCodec();
        TypeStatistics statistics = new TypeStatistics(
                T, new TreeMap<>(Map.of("CarRented", DurationHistogram.of(Duration.ZERO))), new TreeMap<>());

        assertThat(codec.encode(statistics).json())
                .isEqualTo("{\"halvedAt\":\"2026-01-01T00:00:00Z\",\"done\":{\"CarRented\":[0,1]},\"undone\":{}}");
        assertThat(codec.decode(codec.encode(statistics), TypeStatistics.class)).isEqualTo(statistics);
    }

    private static DurationHistogram seconds(int... seconds) {
        DurationHistogram histogram = DurationHistogram.EMPTY;
        for (int each : seconds) {
            histogram = histogram.plus(DurationHistogram.of(Duration.ofSeconds(each)));
        }
        return histogram;
    }

    private static DurationHistogram many(int count) {
        DurationHistogram histogram = DurationHistogram.EMPTY;
        for (int i = 1; i <= count; i++) {
            histogram = histogram.plus(DurationHistogram.of(Duration.ofMillis(i)));
        }
        return histogram;
    }
}

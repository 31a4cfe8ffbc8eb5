package io.holdfast.saga.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StreamPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HeadSamplesTests {

    private static final Instant T = Instant.parse("2026-01-01T10:00:00Z");
    private static final LogIdentity LOG = new LogIdentity(new UUID(0, 1), 1);
    private static final LogIdentity OTHER_LOG = new LogIdentity(new UUID(0, 2), 1);

    private final HeadSamples samples = new HeadSamples(Duration.ofSeconds(1));

    private void sample(int second, long head) {
        StreamHead reported = new StreamHead("stock", LOG, head, new UUID(1, head));
        samples.sample(
                T.plusSeconds(second),
                () -> CompletableFuture.completedFuture(new StreamPage(reported, List.of(), List.of())));
    }

    private static StreamPosition at(LogIdentity log, long position) {
        return new StreamPosition(log, position, new UUID(1, position));
    }

    @Test
    void hearsUpToTheNewestSampleThatAllSegmentsReached() {
        sample(0, 5);
        sample(1, 8);
        sample(2, 9);

        assertThat(samples.heard(List.of(at(LOG, 9), at(LOG, 8)))).isEqualTo(T.plusSeconds(1));
        assertThat(samples.heard(List.of(at(LOG, 9), at(LOG, 9)))).isEqualTo(T.plusSeconds(2));
    }

    @Test
    void hearsNothingWithoutAPosition() {
        sample(0, 5);

        assertThat(samples.heard(List.of())).isEqualTo(Instant.MIN);
        assertThat(samples.heard(Arrays.asList(at(LOG, 5), null))).isEqualTo(Instant.MIN);
    }

    @Test
    void hearsNothingFromPositionsOfAnotherLog() {
        sample(0, 5);

        assertThat(samples.heard(List.of(at(OTHER_LOG, 7)))).isEqualTo(Instant.MIN);
    }

    @Test
    void hearsAgainAfterTheSourceLostTheSampledHead() {
        sample(0, 9);
        sample(1, 6);

        assertThat(samples.heard(List.of(at(LOG, 6)))).isEqualTo(T.plusSeconds(1));
    }

    @Test
    void asksOncePerIntervalAndSurvivesFailures() {
        samples.sample(T, () -> CompletableFuture.failedFuture(new RetryableException("no reply")));
        sample(0, 5);
        assertThat(samples.heard(List.of(at(LOG, 5)))).isEqualTo(Instant.MIN);

        sample(1, 5);
        assertThat(samples.heard(List.of(at(LOG, 5)))).isEqualTo(T.plusSeconds(1));
    }
}

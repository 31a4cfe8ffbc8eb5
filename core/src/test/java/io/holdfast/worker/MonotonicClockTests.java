package io.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fixture.ManualClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class MonotonicClockTests {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void measuresSystemTimeNextToAnyWallClock() {
        MonotonicClock clock = MonotonicClock.of(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        MonotonicTime start = clock.time();

        while (start.until(clock.time()).isZero()) {
            Thread.onSpinWait();
        }

        assertThat(clock.time()).isGreaterThan(start);
    }

    @Test
    void isTheWallClockOfATest() {
        ManualClock manual = new ManualClock();
        MonotonicTime start = MonotonicClock.of(manual).time();

        manual.advance(Duration.ofSeconds(2));
        manual.setForward(Duration.ofHours(-1));

        assertThat(start.until(MonotonicClock.of(manual).time())).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void doesNotOverflow() {
        MonotonicTime now = new MonotonicTime(-1);

        assertThat(now.plus(FOREVER)).isEqualTo(MonotonicTime.MAX);
        assertThat(now.minus(FOREVER)).isEqualTo(MonotonicTime.MIN);
        assertThat(MonotonicTime.MIN.until(MonotonicTime.MAX)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
        assertThat(now.until(MonotonicTime.MIN)).isZero();
        assertThat(now.until(now)).isZero();
    }
}

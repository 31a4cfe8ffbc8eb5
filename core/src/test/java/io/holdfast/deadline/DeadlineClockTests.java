package io.holdfast.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fixture.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineClockTests {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock process = new ManualClock(START.minusSeconds(600));
    private final ManualClock store = new ManualClock(START);
    private Duration delay = Duration.ZERO;
    private final DeadlineClock clock = newClock();

    private DeadlineClock newClock() {
        return new DeadlineClock("orders", this::storeTime, process);
    }

    /** The answer is on its way for the delay. */
    private Instant storeTime() {
        Instant time = store.instant();
        passTime(delay);
        return time;
    }

    private void passTime(Duration time) {
        process.advance(time);
        store.advance(time);
    }

    @Test
    void startsWithTheWallClockUntilItIsAdjusted() {
        assertThat(clock.now()).isEqualTo(process.instant());

        clock.adjust();

        assertThat(clock.now()).isEqualTo(START);
    }

    @Test
    void advancesWithoutAskingTheStore() {
        clock.adjust();

        passTime(SECOND);

        assertThat(clock.now()).isEqualTo(START.plus(SECOND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void doesNotFollowTheStoreIfThatIsSet(Duration difference) {
        clock.adjust();

        store.setForward(difference);
        passTime(SECOND);
        clock.adjust();

        assertThat(clock.now()).isEqualTo(START.plus(SECOND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void doesNotFollowTheWallClock(Duration difference) {
        clock.adjust();

        process.setForward(difference);
        passTime(SECOND);

        assertThat(clock.now()).isEqualTo(START.plus(SECOND));
        clock.adjust();
        assertThat(clock.now()).isEqualTo(START.plus(SECOND));
    }

    @Test
    void followsTheStoreAgainAfterItWasSetBack() {
        clock.adjust();
        store.setForward(Duration.ofHours(1));
        clock.adjust();

        store.setForward(Duration.ofHours(-1).plusMillis(20));
        clock.adjust();

        assertThat(clock.now()).isEqualTo(START.plusMillis(20));
    }

    @Test
    void followsADriftThatAddsUp() {
        clock.adjust();

        for (int second = 0; second < 1_000; second++) {
            passTime(SECOND);
            store.setForward(Duration.ofMillis(10));
            clock.adjust();
        }

        assertThat(clock.now()).isEqualTo(store.instant()).isEqualTo(START.plusSeconds(1_010));
    }

    @Test
    void adoptsTheStoresTimeAfterARestart() {
        clock.adjust();
        store.setForward(Duration.ofHours(1));
        clock.adjust();

        DeadlineClock restarted = newClock();
        restarted.adjust();

        assertThat(restarted.now()).isEqualTo(store.instant());
    }

    @Test
    void doesNotKeepAFirstAnswerThatWasSlow() {
        delay = Duration.ofSeconds(30);
        clock.adjust();
        assertThat(clock.now()).isEqualTo(START);

        delay = Duration.ZERO;
        clock.adjust();
        assertThat(clock.now()).isEqualTo(store.instant()).isEqualTo(START.plusSeconds(30));

        store.setForward(Duration.ofHours(1));
        clock.adjust();
        assertThat(clock.now()).isEqualTo(START.plusSeconds(30));
    }

    @Test
    void ignoresASlowAnswerLater() {
        clock.adjust();

        delay = Duration.ofSeconds(30);
        clock.adjust();

        assertThat(clock.now()).isEqualTo(START.plusSeconds(30));
    }
}

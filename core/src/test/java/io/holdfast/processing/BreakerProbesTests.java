package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.resilience.ResilienceSettings;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How many of those that a breaker holds may be tried at once. */
class BreakerProbesTests {

    private static final String BREAKER = "payment-processing";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final BreakerProbes probes = new BreakerProbes(ResilienceSettings.DEFAULT);

    private int acquireAll() {
        int tried = 0;
        while (probes.tryAcquire(BREAKER, NOW)) {
            tried++;
        }
        return tried;
    }

    private void complete(int tries) {
        for (int i = 0; i < tries; i++) {
            probes.completed(BREAKER, true);
        }
    }

    @Test
    void startsAnewForWhatIsTakenOverAfterARampWasOver() {
        probes.registerHeld(BREAKER, NOW);
        for (int allowed = 1; allowed <= 64; allowed *= 2) {
            assertThat(acquireAll()).isEqualTo(allowed);
            complete(allowed);
        }

        probes.registerHeld(BREAKER, NOW);

        assertThat(acquireAll()).isEqualTo(1);
    }

    @Test
    void doesNotGrowWithoutAnEnd() {
        probes.registerHeld(BREAKER, NOW);
        for (int round = 0; round < 20; round++) {
            complete(acquireAll());
        }

        assertThat(acquireAll()).isEqualTo(1024);
    }

    @Test
    void letsNoMoreBeTriedForAnEndThatIsToldTwice() {
        probes.registerHeld(BREAKER, NOW);
        assertThat(acquireAll()).isEqualTo(1);

        probes.completed(BREAKER, false);
        probes.completed(BREAKER, false);

        assertThat(acquireAll()).isEqualTo(1);
    }
}

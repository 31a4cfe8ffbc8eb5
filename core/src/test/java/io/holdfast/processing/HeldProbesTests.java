package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.resilience.ResilienceSettings;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How many of those that a breaker holds may be tried at once. */
class HeldProbesTests {

    private static final String BREAKER = "payment-processing";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final HeldProbes probes = new HeldProbes(ResilienceSettings.DEFAULT);

    private int tryAll() {
        int tried = 0;
        while (probes.tryOne(BREAKER, NOW)) {
            tried++;
        }
        return tried;
    }

    private void end(int tries) {
        for (int i = 0; i < tries; i++) {
            probes.ended(BREAKER, true);
        }
    }

    @Test
    void startsAnewForWhatIsTakenOverAfterARampWasOver() {
        probes.known(BREAKER, NOW);
        for (int allowed = 1; allowed <= 64; allowed *= 2) {
            assertThat(tryAll()).isEqualTo(allowed);
            end(allowed);
        }

        probes.known(BREAKER, NOW);

        assertThat(tryAll()).isEqualTo(1);
    }

    @Test
    void doesNotGrowWithoutAnEnd() {
        probes.known(BREAKER, NOW);
        for (int round = 0; round < 20; round++) {
            end(tryAll());
        }

        assertThat(tryAll()).isEqualTo(1024);
    }

    @Test
    void letsNoMoreBeTriedForAnEndThatIsToldTwice() {
        probes.known(BREAKER, NOW);
        assertThat(tryAll()).isEqualTo(1);

        probes.ended(BREAKER, false);
        probes.ended(BREAKER, false);

        assertThat(tryAll()).isEqualTo(1);
    }
}

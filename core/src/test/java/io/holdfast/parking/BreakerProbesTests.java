package io.holdfast.parking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.worker.MonotonicTime;
import org.junit.jupiter.api.Test;

/** The number of HELD sequences that may be probed concurrently. */
class BreakerProbesTests {

    private static final String BREAKER = "payment-processing";
    private static final MonotonicTime NOW = new MonotonicTime(0);

    private final BreakerProbes probes = new BreakerProbes(ResilienceSettings.DEFAULT);

    private int acquireAll() {
        int acquired = 0;
        while (probes.tryAcquire(BREAKER, NOW)) {
            acquired++;
        }
        return acquired;
    }

    private void complete(int count) {
        for (int i = 0; i < count; i++) {
            probes.completed(BREAKER, true);
        }
    }

    @Test
    void restartsRampForSequencesLoadedAfterACompletedRamp() {
        probes.registerHeld(BREAKER, NOW);
        for (int allowed = 1; allowed <= 64; allowed *= 2) {
            assertThat(acquireAll()).isEqualTo(allowed);
            complete(allowed);
        }

        probes.registerHeld(BREAKER, NOW);

        assertThat(acquireAll()).isEqualTo(1);
    }

    @Test
    void limitsConcurrentProbes() {
        probes.registerHeld(BREAKER, NOW);
        for (int round = 0; round < 20; round++) {
            complete(acquireAll());
        }

        assertThat(acquireAll()).isEqualTo(1024);
    }

    @Test
    void ignoresDuplicateCompletion() {
        probes.registerHeld(BREAKER, NOW);
        assertThat(acquireAll()).isEqualTo(1);

        probes.completed(BREAKER, false);
        probes.completed(BREAKER, false);

        assertThat(acquireAll()).isEqualTo(1);
    }
}

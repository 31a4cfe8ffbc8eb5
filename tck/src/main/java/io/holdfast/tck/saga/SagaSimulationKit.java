package io.holdfast.tck.saga;

import io.holdfast.tck.harness.StoreHarness;
import org.junit.jupiter.api.Test;

/**
 * Sagas under random work, parked letters, timeouts, replays, crashes, outages and mixed versions: every saga ends, or
 * shows what it waits for; all its steps take effect or all are compensated, never both and never twice.
 */
public abstract class SagaSimulationKit {

    /** Returns the number of random runs per build. In memory, a run takes about 50 milliseconds. */
    protected int runs() {
        return 200;
    }

    /** Returns the number of steps between two checks of all sagas. */
    protected int checkInterval() {
        return 1;
    }

    /** Returns a harness around a new, empty store. */
    protected abstract StoreHarness newHarness();

    @Test
    void everySagaEndsOrShowsWhatItWaitsFor() {
        new SagaSimulation(this::newHarness, checkInterval()).verify(runs());
    }
}

package io.holdfast.tck;

import io.holdfast.tck.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** The promise over a whole store: random work, duplicates, failures, operations and crashes at
 * every named point. */
public abstract class SimulationKit {

    /** How many random runs a build makes; each takes some milliseconds in memory. */
    protected int runs() {
        return 500;
    }

    /** At how many places of a run each crash point is tried. */
    protected int crashRepetitions() {
        return 3;
    }

    /** After how many steps what is parked is counted. */
    protected int checkInterval() {
        return 1;
    }

    /** A harness around a new, empty store. */
    protected abstract StoreHarness newHarness();

    @Test
    void everyEventTakesEffectExactlyOnceAndInOrder() {
        Simulation.of(this::newHarness).checkInterval(checkInterval()).verify(runs());
    }

    @Test
    void survivesEveryCrashPointOfBothServices() {
        Simulation.of(this::newHarness).checkInterval(checkInterval()).verifyEveryCrashPoint(crashRepetitions());
    }
}

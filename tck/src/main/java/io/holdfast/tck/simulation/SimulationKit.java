package io.holdfast.tck.simulation;

import io.holdfast.tck.harness.StoreHarness;
import org.junit.jupiter.api.Test;

/**
 * The guarantees over a whole store, under random work, duplicates, failures, operations and crashes at every commit
 * point.
 */
public abstract class SimulationKit {

    /** Returns the number of random runs per build. In memory, a run takes a few milliseconds. */
    protected int runs() {
        return 500;
    }

    /** Returns how many times per crash point a run is repeated, with the crash at a later step each time. */
    protected int crashRepetitions() {
        return 3;
    }

    /** Returns the number of steps between checks of the parked letters. */
    protected int checkInterval() {
        return 1;
    }

    /** Returns a harness around a new, empty store. */
    protected abstract StoreHarness newHarness();

    @Test
    void everyEventTakesEffectExactlyOnceAndInOrder() {
        Simulation.of(this::newHarness).checkInterval(checkInterval()).verify(runs());
    }

    @Test
    void survivesEveryCrashPointOfBothServices() {
        Simulation.of(this::newHarness).checkInterval(checkInterval()).verifyEveryCrashPoint(crashRepetitions());
    }

    @Test
    void survivesFailoversOfEarlierFailures() {
        Simulation.of(this::newHarness).checkInterval(checkInterval()).verifyKnownFailovers();
    }
}

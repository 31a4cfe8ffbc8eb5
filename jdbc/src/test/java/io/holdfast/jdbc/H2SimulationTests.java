package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.simulation.SimulationKit;

class H2SimulationTests extends SimulationKit {

    @Override
    protected int runs() {
        return 10;
    }

    /** A run takes a hundred times as long as in memory, where the kit repeats more. */
    @Override
    protected int crashRepetitions() {
        return 1;
    }

    @Override
    protected int checkInterval() {
        return 20;
    }

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

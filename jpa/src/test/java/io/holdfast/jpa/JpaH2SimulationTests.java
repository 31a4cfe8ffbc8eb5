package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.simulation.SimulationKit;
import org.junit.jupiter.api.Tag;

/** Tagged long: every crash point takes half a minute. With plain JDBC, the kit is part of every build. */
@Tag("long")
class JpaH2SimulationTests extends SimulationKit {

    @Override
    protected int runs() {
        return 5;
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
        return JpaStoreHarness.h2();
    }
}

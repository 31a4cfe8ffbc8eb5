package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.simulation.SimulationKit;
import org.junit.jupiter.api.Tag;

/** Tagged long: every crash point takes a minute. In memory and on H2, the kit is part of every build. */
@Tag("long")
class PostgresqlSimulationTests extends SimulationKit {

    @Override
    protected int runs() {
        return 8;
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
        return JdbcStoreHarness.postgresql();
    }
}

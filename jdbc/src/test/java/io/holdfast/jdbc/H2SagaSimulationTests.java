package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.SagaSimulationKit;

class H2SagaSimulationTests extends SagaSimulationKit {

    /** A run takes many times as long as in memory, where the kit runs more. */
    @Override
    protected int runs() {
        return 10;
    }

    @Override
    protected int checkInterval() {
        return 10;
    }

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

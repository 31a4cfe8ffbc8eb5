package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationFlowKit;

class H2OrchestrationFlowTests extends OrchestrationFlowKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

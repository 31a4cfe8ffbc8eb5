package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationActionsKit;

class PostgresqlOrchestrationActionsTests extends OrchestrationActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationVersionsKit;

class PostgresqlOrchestrationVersionsTests extends OrchestrationVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationCrashKit;

class PostgresqlOrchestrationCrashTests extends OrchestrationCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

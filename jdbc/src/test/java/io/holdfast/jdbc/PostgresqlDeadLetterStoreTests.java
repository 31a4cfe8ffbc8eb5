package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

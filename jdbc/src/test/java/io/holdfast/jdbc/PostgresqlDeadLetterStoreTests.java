package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterStoreKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

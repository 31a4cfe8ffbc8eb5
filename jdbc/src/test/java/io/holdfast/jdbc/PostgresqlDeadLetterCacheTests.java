package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterCacheKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

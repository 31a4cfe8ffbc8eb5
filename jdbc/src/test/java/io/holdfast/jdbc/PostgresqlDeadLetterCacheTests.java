package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCacheKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

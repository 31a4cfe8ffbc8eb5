package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterQueueKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

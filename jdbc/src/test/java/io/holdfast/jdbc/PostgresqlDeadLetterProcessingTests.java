package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterProcessingKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

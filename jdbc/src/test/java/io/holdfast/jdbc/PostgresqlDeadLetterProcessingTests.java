package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterProcessingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCountsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

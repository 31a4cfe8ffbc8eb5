package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterDecidingTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

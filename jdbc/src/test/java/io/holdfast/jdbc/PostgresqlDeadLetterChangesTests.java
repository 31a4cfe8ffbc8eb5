package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterChangesKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

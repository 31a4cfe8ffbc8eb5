package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterResetKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

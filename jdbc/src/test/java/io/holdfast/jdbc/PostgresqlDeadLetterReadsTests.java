package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterReadsKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

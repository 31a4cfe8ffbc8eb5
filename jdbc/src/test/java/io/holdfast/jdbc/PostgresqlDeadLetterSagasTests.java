package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterSagasKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterSagasTests extends DeadLetterSagasKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

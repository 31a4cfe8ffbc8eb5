package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

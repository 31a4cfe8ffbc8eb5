package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterReadsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

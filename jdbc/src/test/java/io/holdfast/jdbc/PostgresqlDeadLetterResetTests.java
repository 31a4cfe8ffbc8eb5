package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterResetKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

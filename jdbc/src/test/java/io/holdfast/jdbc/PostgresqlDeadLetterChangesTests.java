package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterChangesKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

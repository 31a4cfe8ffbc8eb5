package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterOrderKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

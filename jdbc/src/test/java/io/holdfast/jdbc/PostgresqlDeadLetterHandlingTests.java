package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterHandlingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

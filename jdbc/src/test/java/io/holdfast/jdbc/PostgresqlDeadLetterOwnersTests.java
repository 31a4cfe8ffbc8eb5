package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterOwnersKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

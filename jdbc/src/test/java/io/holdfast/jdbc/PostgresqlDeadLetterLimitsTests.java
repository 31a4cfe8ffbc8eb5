package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterLimitsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

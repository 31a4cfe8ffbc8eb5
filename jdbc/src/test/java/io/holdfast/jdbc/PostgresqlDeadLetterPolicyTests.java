package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterPolicyTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

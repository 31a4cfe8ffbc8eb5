package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterPolicyKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

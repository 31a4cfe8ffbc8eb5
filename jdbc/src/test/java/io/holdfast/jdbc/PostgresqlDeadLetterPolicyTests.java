package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

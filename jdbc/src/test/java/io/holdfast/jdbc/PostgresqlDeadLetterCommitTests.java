package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCommitKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

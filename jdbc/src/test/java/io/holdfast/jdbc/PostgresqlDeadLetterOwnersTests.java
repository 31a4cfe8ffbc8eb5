package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterOwnersKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

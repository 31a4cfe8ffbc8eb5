package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterListingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

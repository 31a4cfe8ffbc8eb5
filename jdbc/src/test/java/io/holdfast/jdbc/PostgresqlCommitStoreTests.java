package io.holdfast.jdbc;

import io.holdfast.tck.CommitStoreKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlCommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

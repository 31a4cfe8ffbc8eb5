package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlEntryStoreTests extends EntryStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

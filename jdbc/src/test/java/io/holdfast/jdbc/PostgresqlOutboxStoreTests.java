package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.OutboxStoreKit;

class PostgresqlOutboxStoreTests extends OutboxStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.OutboxStoreKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlOutboxStoreTests extends OutboxStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

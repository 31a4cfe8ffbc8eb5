package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlResolvedEntriesTests extends ResolvedEntriesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.FailoverKit;

class PostgresqlFailoverTests extends FailoverKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

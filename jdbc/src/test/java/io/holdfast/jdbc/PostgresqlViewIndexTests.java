package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.ViewIndexKit;

class PostgresqlViewIndexTests extends ViewIndexKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.ViewStoreKit;

class PostgresqlViewStoreTests extends ViewStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

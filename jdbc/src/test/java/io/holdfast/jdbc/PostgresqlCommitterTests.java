package io.holdfast.jdbc;

import io.holdfast.tck.CommitterKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlCommitterTests extends CommitterKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

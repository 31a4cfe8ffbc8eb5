package io.holdfast.jdbc;

import io.holdfast.tck.CommitterFailureKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlCommitterFailureTests extends CommitterFailureKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.KnownFailuresKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlKnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

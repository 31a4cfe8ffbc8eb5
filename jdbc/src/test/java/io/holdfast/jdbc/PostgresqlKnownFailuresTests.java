package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.KnownFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlKnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

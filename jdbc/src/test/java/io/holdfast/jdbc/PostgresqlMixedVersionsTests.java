package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.MixedVersionsKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlMixedVersionsTests extends MixedVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

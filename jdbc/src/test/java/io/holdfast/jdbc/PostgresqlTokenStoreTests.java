package io.holdfast.jdbc;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.TokenStoreKit;

class PostgresqlTokenStoreTests extends TokenStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.UnitTransactionsKit;

class H2UnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.CommitStoreKit;
import io.holdfast.tck.StoreHarness;

class H2CommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.OutboxStoreKit;
import io.holdfast.tck.StoreHarness;

class H2OutboxStoreTests extends OutboxStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

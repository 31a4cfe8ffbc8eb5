package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class H2EntryStoreTests extends EntryStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

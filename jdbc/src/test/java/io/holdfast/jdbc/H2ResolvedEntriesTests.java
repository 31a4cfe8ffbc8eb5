package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.harness.StoreHarness;

class H2ResolvedEntriesTests extends ResolvedEntriesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

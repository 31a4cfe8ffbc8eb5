package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.DecisionRowsKit;

class H2DecisionRowsTests extends DecisionRowsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

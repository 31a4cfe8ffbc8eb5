package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.FailoverKit;

class H2FailoverTests extends FailoverKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

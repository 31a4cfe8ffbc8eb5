package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.ViewIndexKit;

class H2ViewIndexTests extends ViewIndexKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

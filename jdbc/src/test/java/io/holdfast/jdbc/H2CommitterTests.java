package io.holdfast.jdbc;

import io.holdfast.tck.CommitterKit;
import io.holdfast.tck.StoreHarness;

class H2CommitterTests extends CommitterKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

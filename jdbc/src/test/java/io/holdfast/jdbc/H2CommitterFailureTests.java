package io.holdfast.jdbc;

import io.holdfast.tck.CommitterFailureKit;
import io.holdfast.tck.StoreHarness;

class H2CommitterFailureTests extends CommitterFailureKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

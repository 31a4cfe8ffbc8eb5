package io.holdfast.jdbc;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.ViewStoreKit;

class H2ViewStoreTests extends ViewStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

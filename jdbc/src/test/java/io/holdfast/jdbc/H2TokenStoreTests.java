package io.holdfast.jdbc;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.TokenStoreKit;

class H2TokenStoreTests extends TokenStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

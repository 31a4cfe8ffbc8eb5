package io.holdfast.jdbc;

import io.holdfast.tck.KnownFailuresKit;
import io.holdfast.tck.StoreHarness;

class H2KnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.MixedVersionsKit;
import io.holdfast.tck.harness.StoreHarness;

class H2MixedVersionsTests extends MixedVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

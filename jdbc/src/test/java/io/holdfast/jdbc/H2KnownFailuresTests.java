package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.KnownFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class H2KnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.RecoveryKit;
import io.holdfast.tck.harness.StoreHarness;

class H2RecoveryTests extends RecoveryKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.RecoveryFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class H2RecoveryFailuresTests extends RecoveryFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.GuardedAttemptsKit;
import io.holdfast.tck.harness.StoreHarness;

class H2GuardedAttemptsTests extends GuardedAttemptsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

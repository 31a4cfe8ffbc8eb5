package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterParkingKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

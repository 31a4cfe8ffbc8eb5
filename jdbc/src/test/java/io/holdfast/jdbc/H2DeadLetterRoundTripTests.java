package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterRoundTripKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

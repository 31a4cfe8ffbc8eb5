package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterListingKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

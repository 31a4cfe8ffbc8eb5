package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterHandlingKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

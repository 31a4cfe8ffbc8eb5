package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterResetKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

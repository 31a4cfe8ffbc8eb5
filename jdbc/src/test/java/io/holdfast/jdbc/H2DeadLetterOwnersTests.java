package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterOwnersKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

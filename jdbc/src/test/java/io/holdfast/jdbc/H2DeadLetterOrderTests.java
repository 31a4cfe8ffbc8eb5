package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterOrderKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

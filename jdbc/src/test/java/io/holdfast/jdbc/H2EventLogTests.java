package io.holdfast.jdbc;

import io.holdfast.tck.EventLogKit;
import io.holdfast.tck.StoreHarness;

class H2EventLogTests extends EventLogKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

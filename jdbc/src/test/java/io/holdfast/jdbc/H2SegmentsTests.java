package io.holdfast.jdbc;

import io.holdfast.tck.SegmentsKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentsTests extends SegmentsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

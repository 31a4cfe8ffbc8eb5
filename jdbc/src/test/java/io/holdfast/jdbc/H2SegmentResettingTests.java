package io.holdfast.jdbc;

import io.holdfast.tck.SegmentResettingKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentResettingTests extends SegmentResettingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

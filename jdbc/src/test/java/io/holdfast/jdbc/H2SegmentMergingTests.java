package io.holdfast.jdbc;

import io.holdfast.tck.SegmentMergingKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentMergingTests extends SegmentMergingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.SegmentSplittingKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

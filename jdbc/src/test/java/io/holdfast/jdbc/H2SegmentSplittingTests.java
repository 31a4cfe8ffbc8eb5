package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentSplittingKit;

class H2SegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

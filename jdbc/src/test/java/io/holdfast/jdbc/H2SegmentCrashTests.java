package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentCrashKit;

class H2SegmentCrashTests extends SegmentCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.SegmentCrashKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentCrashTests extends SegmentCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

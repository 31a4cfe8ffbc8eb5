package io.holdfast.jdbc;

import io.holdfast.tck.SegmentPolicyKit;
import io.holdfast.tck.StoreHarness;

class H2SegmentPolicyTests extends SegmentPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

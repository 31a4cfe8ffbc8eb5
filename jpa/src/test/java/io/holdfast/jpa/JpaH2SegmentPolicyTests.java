package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentPolicyKit;

class JpaH2SegmentPolicyTests extends SegmentPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

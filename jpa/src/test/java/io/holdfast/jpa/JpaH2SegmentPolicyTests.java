package io.holdfast.jpa;

import io.holdfast.tck.SegmentPolicyKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentPolicyTests extends SegmentPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

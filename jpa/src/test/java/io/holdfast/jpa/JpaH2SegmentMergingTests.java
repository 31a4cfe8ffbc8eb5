package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentMergingKit;

class JpaH2SegmentMergingTests extends SegmentMergingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.SegmentMergingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentMergingTests extends SegmentMergingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

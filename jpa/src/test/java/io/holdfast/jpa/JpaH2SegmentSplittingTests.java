package io.holdfast.jpa;

import io.holdfast.tck.SegmentSplittingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.SegmentResettingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentResettingTests extends SegmentResettingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.SegmentsKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentsTests extends SegmentsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

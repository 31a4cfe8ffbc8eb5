package io.holdfast.jpa;

import io.holdfast.tck.SegmentCrashKit;
import io.holdfast.tck.StoreHarness;

class JpaH2SegmentCrashTests extends SegmentCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.SegmentCrashKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentCrashTests extends SegmentCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

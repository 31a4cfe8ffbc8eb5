package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentResettingKit;

class InMemorySegmentResettingTests extends SegmentResettingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

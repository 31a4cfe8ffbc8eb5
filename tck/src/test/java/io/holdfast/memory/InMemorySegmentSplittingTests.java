package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentSplittingKit;

class InMemorySegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

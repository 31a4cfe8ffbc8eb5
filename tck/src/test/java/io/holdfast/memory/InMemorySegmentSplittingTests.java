package io.holdfast.memory;

import io.holdfast.tck.SegmentSplittingKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

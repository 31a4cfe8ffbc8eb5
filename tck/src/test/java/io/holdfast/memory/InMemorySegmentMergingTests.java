package io.holdfast.memory;

import io.holdfast.tck.SegmentMergingKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentMergingTests extends SegmentMergingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

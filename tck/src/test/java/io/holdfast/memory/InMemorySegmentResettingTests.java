package io.holdfast.memory;

import io.holdfast.tck.SegmentResettingKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentResettingTests extends SegmentResettingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.SegmentsKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentsTests extends SegmentsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

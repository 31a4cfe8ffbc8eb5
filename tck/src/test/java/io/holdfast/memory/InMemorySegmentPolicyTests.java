package io.holdfast.memory;

import io.holdfast.tck.SegmentPolicyKit;
import io.holdfast.tck.StoreHarness;

class InMemorySegmentPolicyTests extends SegmentPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.CommitterFailureKit;
import io.holdfast.tck.StoreHarness;

class InMemoryCommitterFailureTests extends CommitterFailureKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

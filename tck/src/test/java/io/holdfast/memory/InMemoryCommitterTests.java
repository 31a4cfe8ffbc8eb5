package io.holdfast.memory;

import io.holdfast.tck.CommitterKit;
import io.holdfast.tck.StoreHarness;

class InMemoryCommitterTests extends CommitterKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

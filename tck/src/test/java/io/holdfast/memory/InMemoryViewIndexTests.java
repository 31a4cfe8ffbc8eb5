package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.ViewIndexKit;

class InMemoryViewIndexTests extends ViewIndexKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

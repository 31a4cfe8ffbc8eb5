package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.ViewStoreKit;

class InMemoryViewStoreTests extends ViewStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

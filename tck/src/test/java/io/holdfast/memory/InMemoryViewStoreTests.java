package io.holdfast.memory;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.ViewStoreKit;

class InMemoryViewStoreTests extends ViewStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.FailoverKit;

class InMemoryFailoverTests extends FailoverKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

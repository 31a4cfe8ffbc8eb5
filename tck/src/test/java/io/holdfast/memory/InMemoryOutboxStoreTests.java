package io.holdfast.memory;

import io.holdfast.tck.OutboxStoreKit;
import io.holdfast.tck.StoreHarness;

class InMemoryOutboxStoreTests extends OutboxStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

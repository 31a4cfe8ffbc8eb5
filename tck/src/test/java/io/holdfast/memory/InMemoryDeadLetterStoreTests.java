package io.holdfast.memory;

import io.holdfast.tck.DeadLetterStoreKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

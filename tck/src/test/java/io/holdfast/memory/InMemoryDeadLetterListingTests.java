package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterListingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterCountsKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

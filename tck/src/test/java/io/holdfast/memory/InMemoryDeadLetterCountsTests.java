package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterDecidingTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterPolicyTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

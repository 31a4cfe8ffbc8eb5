package io.holdfast.memory;

import io.holdfast.tck.DeadLetterPolicyKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

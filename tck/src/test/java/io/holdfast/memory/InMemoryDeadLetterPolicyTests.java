package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

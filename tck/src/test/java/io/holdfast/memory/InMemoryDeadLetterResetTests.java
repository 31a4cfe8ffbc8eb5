package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterResetKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

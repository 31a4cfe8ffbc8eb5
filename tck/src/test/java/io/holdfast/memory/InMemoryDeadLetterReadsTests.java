package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterReadsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

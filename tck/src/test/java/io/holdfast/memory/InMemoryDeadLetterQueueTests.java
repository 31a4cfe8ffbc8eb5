package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterQueueKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

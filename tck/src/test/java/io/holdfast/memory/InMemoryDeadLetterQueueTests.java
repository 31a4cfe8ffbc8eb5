package io.holdfast.memory;

import io.holdfast.tck.DeadLetterQueueKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterQueueTests extends DeadLetterQueueKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

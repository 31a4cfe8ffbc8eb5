package io.holdfast.memory;

import io.holdfast.tck.DeadLetterProcessingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

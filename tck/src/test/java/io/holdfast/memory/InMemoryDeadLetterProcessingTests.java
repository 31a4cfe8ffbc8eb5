package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterProcessingKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

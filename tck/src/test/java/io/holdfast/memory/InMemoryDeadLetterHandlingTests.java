package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterHandlingKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

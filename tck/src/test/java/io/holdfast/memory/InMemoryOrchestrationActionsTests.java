package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationActionsKit;

class InMemoryOrchestrationActionsTests extends OrchestrationActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

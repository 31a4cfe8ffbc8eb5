package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationFlowKit;

class InMemoryOrchestrationFlowTests extends OrchestrationFlowKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

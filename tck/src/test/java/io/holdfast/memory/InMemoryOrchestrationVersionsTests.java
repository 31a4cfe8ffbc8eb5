package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationVersionsKit;

class InMemoryOrchestrationVersionsTests extends OrchestrationVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.OrchestrationCrashKit;

class InMemoryOrchestrationCrashTests extends OrchestrationCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

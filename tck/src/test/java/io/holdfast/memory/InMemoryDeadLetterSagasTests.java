package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterSagasKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterSagasTests extends DeadLetterSagasKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterChangesKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

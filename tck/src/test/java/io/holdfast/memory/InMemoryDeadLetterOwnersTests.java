package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterOwnersKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

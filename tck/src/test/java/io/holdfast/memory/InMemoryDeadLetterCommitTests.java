package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterCommitKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

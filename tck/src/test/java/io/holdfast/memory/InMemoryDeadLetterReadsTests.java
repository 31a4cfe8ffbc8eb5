package io.holdfast.memory;

import io.holdfast.tck.DeadLetterReadsKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterChangesKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterHandlingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

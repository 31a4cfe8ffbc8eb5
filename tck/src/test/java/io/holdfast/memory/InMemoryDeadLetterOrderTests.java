package io.holdfast.memory;

import io.holdfast.tck.DeadLetterOrderKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterResetKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

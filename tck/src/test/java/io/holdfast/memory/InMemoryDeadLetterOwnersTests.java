package io.holdfast.memory;

import io.holdfast.tck.DeadLetterOwnersKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

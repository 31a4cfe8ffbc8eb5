package io.holdfast.memory;

import io.holdfast.tck.DeadLetterCacheKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

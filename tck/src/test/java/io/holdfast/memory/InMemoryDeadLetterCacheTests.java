package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterCacheKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterCacheTests extends DeadLetterCacheKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

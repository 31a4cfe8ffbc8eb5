package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.DeadlineFailuresKit;

class InMemoryDeadlineFailuresTests extends DeadlineFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

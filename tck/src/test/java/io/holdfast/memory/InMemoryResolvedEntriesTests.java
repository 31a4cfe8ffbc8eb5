package io.holdfast.memory;

import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryResolvedEntriesTests extends ResolvedEntriesKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

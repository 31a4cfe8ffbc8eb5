package io.holdfast.memory;

import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryEntryStoreTests extends EntryStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

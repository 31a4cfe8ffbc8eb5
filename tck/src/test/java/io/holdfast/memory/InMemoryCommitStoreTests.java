package io.holdfast.memory;

import io.holdfast.tck.CommitStoreKit;
import io.holdfast.tck.StoreHarness;

class InMemoryCommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

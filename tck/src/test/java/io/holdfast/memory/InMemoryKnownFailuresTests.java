package io.holdfast.memory;

import io.holdfast.tck.deadletter.KnownFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryKnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

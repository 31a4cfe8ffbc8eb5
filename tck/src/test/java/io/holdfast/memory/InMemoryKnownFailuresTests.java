package io.holdfast.memory;

import io.holdfast.tck.KnownFailuresKit;
import io.holdfast.tck.StoreHarness;

class InMemoryKnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

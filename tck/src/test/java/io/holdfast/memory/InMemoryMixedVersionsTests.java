package io.holdfast.memory;

import io.holdfast.tck.deadletter.MixedVersionsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryMixedVersionsTests extends MixedVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.IdempotencyGuardKit;

class InMemoryIdempotencyGuardTests extends IdempotencyGuardKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

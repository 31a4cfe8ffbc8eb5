package io.holdfast.memory;

import io.holdfast.tck.IdempotencyGuardKit;
import io.holdfast.tck.StoreHarness;

class InMemoryIdempotencyGuardTests extends IdempotencyGuardKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

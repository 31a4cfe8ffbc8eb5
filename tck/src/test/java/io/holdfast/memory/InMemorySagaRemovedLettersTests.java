package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.SagaRemovedLettersKit;

class InMemorySagaRemovedLettersTests extends SagaRemovedLettersKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.deadletter.RecoveryKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryRecoveryTests extends RecoveryKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

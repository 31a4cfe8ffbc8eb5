package io.holdfast.memory;

import io.holdfast.tck.deadletter.RecoveryFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryRecoveryFailuresTests extends RecoveryFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

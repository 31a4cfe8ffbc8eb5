package io.holdfast.memory;

import io.holdfast.tck.deadletter.GuardedAttemptsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryGuardedAttemptsTests extends GuardedAttemptsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.GuardedAttemptsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2GuardedAttemptsTests extends GuardedAttemptsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

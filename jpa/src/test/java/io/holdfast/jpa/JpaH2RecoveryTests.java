package io.holdfast.jpa;

import io.holdfast.tck.deadletter.RecoveryKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2RecoveryTests extends RecoveryKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.RecoveryFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2RecoveryFailuresTests extends RecoveryFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

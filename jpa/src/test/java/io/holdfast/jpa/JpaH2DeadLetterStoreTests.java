package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterStoreKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterPolicyTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

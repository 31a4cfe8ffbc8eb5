package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterPolicyKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

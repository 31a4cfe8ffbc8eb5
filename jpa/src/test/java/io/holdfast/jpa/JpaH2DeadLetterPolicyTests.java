package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

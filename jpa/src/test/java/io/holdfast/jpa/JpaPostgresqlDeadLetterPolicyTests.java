package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

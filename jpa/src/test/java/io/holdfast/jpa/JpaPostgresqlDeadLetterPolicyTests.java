package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterPolicyKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

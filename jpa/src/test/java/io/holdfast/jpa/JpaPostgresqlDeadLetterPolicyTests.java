package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterDecidingKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterPolicyTests extends DeadLetterDecidingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterStoreKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterStoreTests extends DeadLetterStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterListingKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

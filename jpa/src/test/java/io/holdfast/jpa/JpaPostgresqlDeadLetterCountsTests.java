package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCountsKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

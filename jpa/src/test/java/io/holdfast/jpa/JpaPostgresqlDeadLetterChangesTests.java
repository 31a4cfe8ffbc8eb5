package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterChangesKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

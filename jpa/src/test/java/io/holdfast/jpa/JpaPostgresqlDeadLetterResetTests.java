package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterResetKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

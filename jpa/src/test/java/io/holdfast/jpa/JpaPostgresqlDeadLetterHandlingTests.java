package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterHandlingKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

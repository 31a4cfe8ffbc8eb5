package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterHandlingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

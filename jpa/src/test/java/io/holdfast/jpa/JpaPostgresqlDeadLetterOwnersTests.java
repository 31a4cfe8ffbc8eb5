package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterOwnersKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

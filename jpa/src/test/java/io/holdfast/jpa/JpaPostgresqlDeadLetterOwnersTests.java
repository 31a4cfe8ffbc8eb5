package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterOwnersKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

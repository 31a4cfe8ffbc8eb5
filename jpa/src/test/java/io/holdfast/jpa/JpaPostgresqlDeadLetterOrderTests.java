package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterOrderKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

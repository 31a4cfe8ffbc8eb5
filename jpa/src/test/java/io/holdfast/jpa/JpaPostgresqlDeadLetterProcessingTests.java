package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterProcessingKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

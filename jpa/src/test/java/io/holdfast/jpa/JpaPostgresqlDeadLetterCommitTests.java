package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCommitKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlDeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterReadsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

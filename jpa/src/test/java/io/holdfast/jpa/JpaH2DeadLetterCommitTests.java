package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterCommitKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

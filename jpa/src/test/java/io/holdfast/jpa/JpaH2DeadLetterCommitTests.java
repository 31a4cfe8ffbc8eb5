package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCommitKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

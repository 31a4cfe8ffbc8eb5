package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterReadsKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterReadsTests extends DeadLetterReadsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

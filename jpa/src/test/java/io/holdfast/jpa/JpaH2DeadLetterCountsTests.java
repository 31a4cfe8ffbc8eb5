package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterCountsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterCountsKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterCountsTests extends DeadLetterCountsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

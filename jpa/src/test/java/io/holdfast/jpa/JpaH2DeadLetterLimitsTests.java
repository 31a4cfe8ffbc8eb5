package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

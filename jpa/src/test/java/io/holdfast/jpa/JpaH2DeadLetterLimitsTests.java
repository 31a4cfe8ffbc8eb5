package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterLimitsKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

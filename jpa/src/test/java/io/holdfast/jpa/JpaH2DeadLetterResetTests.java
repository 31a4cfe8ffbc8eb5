package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterResetKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

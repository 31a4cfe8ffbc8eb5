package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterResetKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterResetTests extends DeadLetterResetKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

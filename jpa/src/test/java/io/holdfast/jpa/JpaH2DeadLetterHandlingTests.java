package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterHandlingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterProcessingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterProcessingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterProcessingTests extends DeadLetterProcessingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterHandlingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterHandlingTests extends DeadLetterHandlingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

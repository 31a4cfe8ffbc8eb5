package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterChangesKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterChangesTests extends DeadLetterChangesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterOrderKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

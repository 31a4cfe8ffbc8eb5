package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterSagasKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterSagasTests extends DeadLetterSagasKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterOrderKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterOrderTests extends DeadLetterOrderKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

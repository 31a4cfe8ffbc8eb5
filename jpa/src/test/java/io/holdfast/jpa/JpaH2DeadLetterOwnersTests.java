package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterOwnersKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterOwnersTests extends DeadLetterOwnersKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

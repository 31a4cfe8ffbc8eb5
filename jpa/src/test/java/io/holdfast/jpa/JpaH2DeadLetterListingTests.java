package io.holdfast.jpa;

import io.holdfast.tck.deadletter.DeadLetterListingKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2DeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

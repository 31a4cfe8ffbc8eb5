package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterListingKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterListingTests extends DeadLetterListingKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

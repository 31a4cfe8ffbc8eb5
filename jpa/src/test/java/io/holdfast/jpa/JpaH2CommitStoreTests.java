package io.holdfast.jpa;

import io.holdfast.tck.CommitStoreKit;
import io.holdfast.tck.StoreHarness;

class JpaH2CommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

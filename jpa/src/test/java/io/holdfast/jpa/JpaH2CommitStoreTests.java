package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.CommitStoreKit;

class JpaH2CommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

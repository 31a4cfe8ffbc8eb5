package io.holdfast.jpa;

import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2EntryStoreTests extends EntryStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

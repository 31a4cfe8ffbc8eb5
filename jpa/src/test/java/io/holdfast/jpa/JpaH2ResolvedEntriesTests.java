package io.holdfast.jpa;

import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2ResolvedEntriesTests extends ResolvedEntriesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

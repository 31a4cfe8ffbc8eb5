package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.UnitTransactionsKit;

class JpaH2UnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

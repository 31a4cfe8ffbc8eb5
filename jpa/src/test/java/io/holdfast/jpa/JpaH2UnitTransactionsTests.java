package io.holdfast.jpa;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.UnitTransactionsKit;

class JpaH2UnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

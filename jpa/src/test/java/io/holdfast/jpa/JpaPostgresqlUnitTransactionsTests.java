package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.UnitTransactionsKit;

class JpaPostgresqlUnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

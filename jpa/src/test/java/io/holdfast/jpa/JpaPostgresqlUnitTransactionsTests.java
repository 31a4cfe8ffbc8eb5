package io.holdfast.jpa;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.UnitTransactionsKit;

class JpaPostgresqlUnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

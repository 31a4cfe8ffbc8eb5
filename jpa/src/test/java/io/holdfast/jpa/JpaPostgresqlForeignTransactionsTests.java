package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.ForeignTransactionsKit;

class JpaPostgresqlForeignTransactionsTests extends ForeignTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

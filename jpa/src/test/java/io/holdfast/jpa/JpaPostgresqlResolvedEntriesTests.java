package io.holdfast.jpa;

import io.holdfast.tck.deadletter.ResolvedEntriesKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlResolvedEntriesTests extends ResolvedEntriesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

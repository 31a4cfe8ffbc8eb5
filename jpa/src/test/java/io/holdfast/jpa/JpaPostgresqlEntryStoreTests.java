package io.holdfast.jpa;

import io.holdfast.tck.deadletter.EntryStoreKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlEntryStoreTests extends EntryStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

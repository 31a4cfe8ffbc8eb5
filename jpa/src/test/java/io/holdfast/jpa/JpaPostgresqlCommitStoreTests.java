package io.holdfast.jpa;

import io.holdfast.tck.CommitStoreKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlCommitStoreTests extends CommitStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

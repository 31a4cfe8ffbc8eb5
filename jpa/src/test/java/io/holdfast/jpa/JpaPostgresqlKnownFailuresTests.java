package io.holdfast.jpa;

import io.holdfast.tck.KnownFailuresKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlKnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

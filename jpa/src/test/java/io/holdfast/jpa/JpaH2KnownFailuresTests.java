package io.holdfast.jpa;

import io.holdfast.tck.deadletter.KnownFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2KnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

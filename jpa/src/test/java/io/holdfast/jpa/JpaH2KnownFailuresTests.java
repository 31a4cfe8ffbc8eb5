package io.holdfast.jpa;

import io.holdfast.tck.KnownFailuresKit;
import io.holdfast.tck.StoreHarness;

class JpaH2KnownFailuresTests extends KnownFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

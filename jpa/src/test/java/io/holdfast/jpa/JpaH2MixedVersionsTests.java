package io.holdfast.jpa;

import io.holdfast.tck.deadletter.MixedVersionsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2MixedVersionsTests extends MixedVersionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

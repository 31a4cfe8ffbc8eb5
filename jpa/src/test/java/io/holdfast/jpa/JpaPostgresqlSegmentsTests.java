package io.holdfast.jpa;

import io.holdfast.tck.SegmentsKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlSegmentsTests extends SegmentsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

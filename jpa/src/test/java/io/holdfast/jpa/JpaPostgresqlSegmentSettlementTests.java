package io.holdfast.jpa;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.segment.SegmentSettlementKit;
import org.junit.jupiter.api.Tag;

/** Tagged long: it tests the engine above the store, and on H2 it is part of every build. */
@Tag("long")
class JpaPostgresqlSegmentSettlementTests extends SegmentSettlementKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

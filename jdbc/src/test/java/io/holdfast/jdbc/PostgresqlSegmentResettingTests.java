package io.holdfast.jdbc;

import io.holdfast.tck.SegmentResettingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentResettingTests extends SegmentResettingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

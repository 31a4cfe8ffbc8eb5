package io.holdfast.jdbc;

import io.holdfast.tck.SegmentSplittingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentSplittingTests extends SegmentSplittingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.SegmentMergingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentMergingTests extends SegmentMergingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

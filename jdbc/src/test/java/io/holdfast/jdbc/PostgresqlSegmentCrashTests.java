package io.holdfast.jdbc;

import io.holdfast.tck.SegmentCrashKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentCrashTests extends SegmentCrashKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.SegmentsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentsTests extends SegmentsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

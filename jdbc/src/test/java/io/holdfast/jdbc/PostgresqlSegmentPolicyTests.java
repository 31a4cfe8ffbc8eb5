package io.holdfast.jdbc;

import io.holdfast.tck.SegmentPolicyKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlSegmentPolicyTests extends SegmentPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

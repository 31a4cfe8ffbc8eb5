package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterRoundTripKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterRoundTripKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

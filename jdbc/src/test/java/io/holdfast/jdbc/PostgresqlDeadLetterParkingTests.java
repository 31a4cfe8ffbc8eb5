package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

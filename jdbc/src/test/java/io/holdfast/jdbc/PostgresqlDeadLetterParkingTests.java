package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterParkingKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

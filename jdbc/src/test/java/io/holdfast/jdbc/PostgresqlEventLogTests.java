package io.holdfast.jdbc;

import io.holdfast.tck.EventLogKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlEventLogTests extends EventLogKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

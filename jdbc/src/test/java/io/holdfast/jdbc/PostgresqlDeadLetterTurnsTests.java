package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterTurnsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlDeadLetterTurnsTests extends DeadLetterTurnsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

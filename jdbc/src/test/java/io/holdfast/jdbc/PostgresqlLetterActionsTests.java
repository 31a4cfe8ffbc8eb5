package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlLetterActionsTests extends LetterActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

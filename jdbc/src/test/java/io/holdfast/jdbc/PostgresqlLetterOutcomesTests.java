package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlLetterOutcomesTests extends LetterOutcomesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

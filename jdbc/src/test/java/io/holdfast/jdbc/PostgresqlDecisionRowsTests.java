package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.DecisionRowsKit;

class PostgresqlDecisionRowsTests extends DecisionRowsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

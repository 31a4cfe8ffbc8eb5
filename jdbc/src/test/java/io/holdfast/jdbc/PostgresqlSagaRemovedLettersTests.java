package io.holdfast.jdbc;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.saga.SagaRemovedLettersKit;

class PostgresqlSagaRemovedLettersTests extends SagaRemovedLettersKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

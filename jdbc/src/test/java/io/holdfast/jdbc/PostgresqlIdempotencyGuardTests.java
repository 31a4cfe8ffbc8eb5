package io.holdfast.jdbc;

import io.holdfast.tck.IdempotencyGuardKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlIdempotencyGuardTests extends IdempotencyGuardKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.RecoveryFailuresKit;
import io.holdfast.tck.harness.StoreHarness;

class PostgresqlRecoveryFailuresTests extends RecoveryFailuresKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

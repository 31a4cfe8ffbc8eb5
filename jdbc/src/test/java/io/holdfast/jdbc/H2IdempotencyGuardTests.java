package io.holdfast.jdbc;

import io.holdfast.tck.IdempotencyGuardKit;
import io.holdfast.tck.StoreHarness;

class H2IdempotencyGuardTests extends IdempotencyGuardKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

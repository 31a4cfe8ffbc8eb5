package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterPolicyKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

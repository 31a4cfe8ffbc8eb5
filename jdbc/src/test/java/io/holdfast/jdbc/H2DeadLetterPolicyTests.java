package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.DeadLetterPolicyKit;
import io.holdfast.tck.harness.StoreHarness;

class H2DeadLetterPolicyTests extends DeadLetterPolicyKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

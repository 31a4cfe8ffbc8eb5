package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterCommitKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterCommitTests extends DeadLetterCommitKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.DeadLetterTurnsKit;
import io.holdfast.tck.StoreHarness;

class H2DeadLetterTurnsTests extends DeadLetterTurnsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

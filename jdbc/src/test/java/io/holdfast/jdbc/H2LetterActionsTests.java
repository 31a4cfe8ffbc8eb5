package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.harness.StoreHarness;

class H2LetterActionsTests extends LetterActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.harness.StoreHarness;

class H2LetterOutcomesTests extends LetterOutcomesKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

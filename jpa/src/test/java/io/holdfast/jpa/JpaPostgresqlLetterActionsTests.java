package io.holdfast.jpa;

import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlLetterActionsTests extends LetterActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

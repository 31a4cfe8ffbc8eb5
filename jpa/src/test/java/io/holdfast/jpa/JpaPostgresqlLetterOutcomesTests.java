package io.holdfast.jpa;

import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaPostgresqlLetterOutcomesTests extends LetterOutcomesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

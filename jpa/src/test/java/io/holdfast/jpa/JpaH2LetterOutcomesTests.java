package io.holdfast.jpa;

import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2LetterOutcomesTests extends LetterOutcomesKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.harness.StoreHarness;

class JpaH2LetterActionsTests extends LetterActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

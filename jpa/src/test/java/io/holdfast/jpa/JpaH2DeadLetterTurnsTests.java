package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterTurnsKit;
import io.holdfast.tck.StoreHarness;

class JpaH2DeadLetterTurnsTests extends DeadLetterTurnsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.h2();
    }
}

package io.holdfast.jpa;

import io.holdfast.tck.DeadLetterTurnsKit;
import io.holdfast.tck.StoreHarness;

class JpaPostgresqlDeadLetterTurnsTests extends DeadLetterTurnsKit {

    @Override
    protected StoreHarness newHarness() {
        return JpaStoreHarness.postgresql();
    }
}

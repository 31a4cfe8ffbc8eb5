package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterLimitsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

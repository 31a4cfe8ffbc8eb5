package io.holdfast.memory;

import io.holdfast.tck.DeadLetterLimitsKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterLimitsTests extends DeadLetterLimitsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.DeadLetterTurnsKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterTurnsTests extends DeadLetterTurnsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

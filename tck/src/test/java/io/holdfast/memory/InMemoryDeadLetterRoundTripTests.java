package io.holdfast.memory;

import io.holdfast.tck.DeadLetterRoundTripKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

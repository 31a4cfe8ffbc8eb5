package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterRoundTripKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterRoundTripTests extends DeadLetterRoundTripKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

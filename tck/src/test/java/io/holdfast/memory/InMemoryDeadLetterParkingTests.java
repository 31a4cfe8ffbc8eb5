package io.holdfast.memory;

import io.holdfast.tck.deadletter.DeadLetterParkingKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

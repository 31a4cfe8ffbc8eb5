package io.holdfast.memory;

import io.holdfast.tck.DeadLetterParkingKit;
import io.holdfast.tck.StoreHarness;

class InMemoryDeadLetterParkingTests extends DeadLetterParkingKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

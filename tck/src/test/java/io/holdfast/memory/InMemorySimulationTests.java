package io.holdfast.memory;

import io.holdfast.tck.SimulationKit;
import io.holdfast.tck.StoreHarness;

class InMemorySimulationTests extends SimulationKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.EventLogKit;
import io.holdfast.tck.StoreHarness;

class InMemoryEventLogTests extends EventLogKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.memory;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.UnitTransactionsKit;

class InMemoryUnitTransactionsTests extends UnitTransactionsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

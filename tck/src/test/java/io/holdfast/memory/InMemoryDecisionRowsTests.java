package io.holdfast.memory;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.store.DecisionRowsKit;

class InMemoryDecisionRowsTests extends DecisionRowsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

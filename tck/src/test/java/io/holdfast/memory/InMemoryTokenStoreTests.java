package io.holdfast.memory;

import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.TokenStoreKit;

class InMemoryTokenStoreTests extends TokenStoreKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

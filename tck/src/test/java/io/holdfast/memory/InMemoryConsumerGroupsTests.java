package io.holdfast.memory;

import io.holdfast.tck.ConsumerGroupsKit;
import io.holdfast.tck.StoreHarness;

class InMemoryConsumerGroupsTests extends ConsumerGroupsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.ConsumerGroupsKit;
import io.holdfast.tck.StoreHarness;

class H2ConsumerGroupsTests extends ConsumerGroupsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.h2();
    }
}

package io.holdfast.jdbc;

import io.holdfast.tck.ConsumerGroupsKit;
import io.holdfast.tck.StoreHarness;

class PostgresqlConsumerGroupsTests extends ConsumerGroupsKit {

    @Override
    protected StoreHarness newHarness() {
        return JdbcStoreHarness.postgresql();
    }
}

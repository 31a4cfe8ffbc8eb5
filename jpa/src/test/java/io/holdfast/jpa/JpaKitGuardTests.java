package io.holdfast.jpa;

import io.holdfast.tck.KitGuard;
import io.holdfast.tck.Kits;
import io.holdfast.tck.store.AggregateVersionsKit;
import io.holdfast.tck.store.CommitterConflictKit;
import io.holdfast.tck.store.CommitterFailureKit;
import io.holdfast.tck.store.CommitterKit;
import io.holdfast.tck.store.ConsumerGroupsKit;
import io.holdfast.tck.store.DeadConnectionsKit;
import io.holdfast.tck.store.DeadlineFailuresKit;
import io.holdfast.tck.store.DeadlinesKit;
import io.holdfast.tck.store.DecisionRowsKit;
import io.holdfast.tck.store.EventLogKit;
import io.holdfast.tck.store.FailoverKit;
import io.holdfast.tck.store.IdempotencyGuardKit;
import io.holdfast.tck.store.KnownServicesKit;
import io.holdfast.tck.store.OutboxStoreKit;
import io.holdfast.tck.store.RowVersionsKit;
import io.holdfast.tck.store.TokenStoreKit;
import io.holdfast.tck.store.ViewIndexKit;
import io.holdfast.tck.store.ViewStoreKit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JpaKitGuardTests {

    /** Kits of ports that {@code JdbcStore} implements and its own tests cover, and of everything above the ports. */
    private static final Set<Class<?>> JDBC_KITS = Set.of(
            AggregateVersionsKit.class,
            CommitterConflictKit.class,
            CommitterFailureKit.class,
            CommitterKit.class,
            ConsumerGroupsKit.class,
            DeadConnectionsKit.class,
            DeadlineFailuresKit.class,
            DeadlinesKit.class,
            DecisionRowsKit.class,
            EventLogKit.class,
            FailoverKit.class,
            IdempotencyGuardKit.class,
            KnownServicesKit.class,
            OutboxStoreKit.class,
            RowVersionsKit.class,
            TokenStoreKit.class,
            ViewIndexKit.class,
            ViewStoreKit.class);

    private static final List<Class<?>> JPA_KITS = Kits.ALL.stream()
            .filter(kit -> !JDBC_KITS.contains(kit) && !Kits.WIRE.contains(kit) && !Kits.SAGAS.contains(kit))
            .toList();

    @ParameterizedTest
    @ValueSource(strings = {"JpaPostgresql", "JpaH2"})
    void everyKitOfTheJpaAdaptersRuns(String database) {
        KitGuard.assertEveryKitRuns(JpaKitGuardTests.class, database, JPA_KITS);
    }
}

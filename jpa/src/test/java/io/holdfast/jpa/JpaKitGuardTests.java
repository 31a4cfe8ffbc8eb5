package io.holdfast.jpa;

import io.holdfast.tck.CommitterFailureKit;
import io.holdfast.tck.CommitterKit;
import io.holdfast.tck.ConsumerGroupsKit;
import io.holdfast.tck.EventLogKit;
import io.holdfast.tck.IdempotencyGuardKit;
import io.holdfast.tck.KitGuard;
import io.holdfast.tck.Kits;
import io.holdfast.tck.OutboxStoreKit;
import io.holdfast.tck.TokenStoreKit;
import io.holdfast.tck.ViewStoreKit;
import io.holdfast.tck.WireKit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JpaKitGuardTests {

    /** Kits of ports that {@code JdbcStore} implements and its own tests cover, and of everything above the ports. */
    private static final Set<Class<?>> JDBC_KITS = Set.of(
            CommitterFailureKit.class,
            CommitterKit.class,
            ConsumerGroupsKit.class,
            EventLogKit.class,
            IdempotencyGuardKit.class,
            OutboxStoreKit.class,
            TokenStoreKit.class,
            ViewStoreKit.class,
            WireKit.class);

    private static final List<Class<?>> JPA_KITS =
            Kits.ALL.stream().filter(kit -> !JDBC_KITS.contains(kit)).toList();

    @ParameterizedTest
    @ValueSource(strings = {"JpaPostgresql", "JpaH2"})
    void everyKitOfTheJpaAdaptersRuns(String database) {
        KitGuard.assertEveryKitRuns(JpaKitGuardTests.class, database, JPA_KITS);
    }
}

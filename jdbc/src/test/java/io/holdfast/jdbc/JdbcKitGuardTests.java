package io.holdfast.jdbc;

import io.holdfast.tck.KitGuard;
import io.holdfast.tck.Kits;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcKitGuardTests {

    private static final List<Class<?>> STORE_KITS =
            Kits.ALL.stream().filter(kit -> !Kits.WIRE.contains(kit)).toList();

    @ParameterizedTest
    @ValueSource(strings = {"Postgresql", "H2"})
    void everyStoreKitRuns(String database) {
        KitGuard.assertEveryKitRuns(JdbcKitGuardTests.class, database, STORE_KITS);
    }
}

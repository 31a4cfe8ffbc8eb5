package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two services never share tables: each would treat the other's events as its own. */
@ParameterizedClass
@EnumSource(Dialect.class)
class LogOwnerTests {

    private final TestDatabase database;

    LogOwnerTests(Dialect dialect) {
        this.database = TestDatabase.acquire(dialect);
    }

    @AfterEach
    void releaseDatabase() {
        database.release();
    }

    @Test
    void rejectsAnotherService() {
        open("orders").close();

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> open("billing"))
                .withMessage(
                        "the tables of this database belong to service orders, and service billing cannot share them:"
                                + " each would treat the other's events as its own. Give billing a database or a schema of its own."
                                + " If it is orders under a new name, keep the old name: event ids are derived from it");
    }

    @Test
    void acceptsReplicasOfTheSameService() {
        try (JdbcStore first = open("orders");
                JdbcStore second = open("orders")) {
            assertThat(second.eventLog().identity()).isEqualTo(first.eventLog().identity());
        }
    }

    @RepeatedTest(5)
    void rejectsOneOfTwoConcurrentServices() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Boolean> orders = threads.submit(() -> isAccepted("orders", start));
            Future<Boolean> billing = threads.submit(() -> isAccepted("billing", start));

            assertThat(List.of(orders.get(60, TimeUnit.SECONDS), billing.get(60, TimeUnit.SECONDS)))
                    .containsExactlyInAnyOrder(true, false);
        } finally {
            threads.shutdown();
        }
    }

    private boolean isAccepted(String service, CyclicBarrier start) throws Exception {
        start.await(30, TimeUnit.SECONDS);
        try (JdbcStore store = open(service)) {
            return store.eventLog().position() == 0;
        } catch (PermanentException rejected) {
            return false;
        }
    }

    private JdbcStore open(String service) {
        return JdbcStore.in(service, database.dataSource()).open();
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.testsupport.PostgresqlServer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A frozen database with open connections does not keep a process from shutting down. */
@Tag("long")
class FrozenDatabaseTests {

    @Test
    @Timeout(120)
    void closesInBoundedTimeAndKeepsAcknowledgedEvents() throws Exception {
        PostgresqlServer server = PostgresqlServer.startDurable();
        String url = server.newDatabase();
        AtomicInteger handled = new AtomicInteger();
        try {
            JdbcStore store = JdbcStore.in("accounts", PoolSettings.of(url, "postgres", ""))
                    .open();
            HoldfastService service = HoldfastService.named("accounts", store, new InMemoryWire())
                    .owns("accounts")
                    .processor("copies", processor -> processor
                            .reads("accounts")
                            .calls(Component.named("copies")
                                    .on(Accounts.Deposited.class, (deposited, context) -> handled.incrementAndGet())
                                    .build()))
                    .start();
            deposit(service);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(handled).hasValue(1));

            server.freeze();
            long begin = System.nanoTime();
            assertThatCode(service::close).doesNotThrowAnyException();
            store.close();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            server.resume();

            System.out.printf("closed on a frozen PostgreSQL after %d ms%n", took.toMillis());
            assertThat(took).isLessThan(Duration.ofSeconds(30));
            try (JdbcStore again = JdbcStore.in("accounts", PoolSettings.of(url, "postgres", ""))
                    .open()) {
                assertThat(again.eventLog().position()).isEqualTo(1);
            }
        } finally {
            server.resume();
            server.close();
        }
    }

    private static void deposit(HoldfastService service) {
        service.commands()
                .execute(
                        Command.once(Clock.systemUTC()),
                        Accounts.ACCOUNT,
                        "ann",
                        balance -> List.of(new Accounts.Deposited(5)));
    }
}

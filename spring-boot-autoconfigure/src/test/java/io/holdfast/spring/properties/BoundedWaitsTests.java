package io.holdfast.spring.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.EventHandler;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.spring.EventComponent;
import io.holdfast.spring.HoldfastServiceCustomizer;
import io.holdfast.spring.Runners;
import io.holdfast.spring.Till;
import io.holdfast.spring.Till.Paid;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.wire.Wire;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationContext;

/** The properties that limit how long something waits reach the engine. */
@Timeout(120)
class BoundedWaitsTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @Test
    void limitsHowLongACallerWaitsForACommand() {
        CountDownLatch end = new CountDownLatch(1);
        Runners.inMemory()
                .withPropertyValues("framework.commands.timeout=150ms")
                .run(context -> {
                    assertThatExceptionOfType(OutcomeUnknownException.class)
                            .isThrownBy(() -> service(context)
                                    .commands()
                                    .execute(Command.once(Clock.systemUTC()), decision -> hangUntil(end)))
                            .withMessageContaining("was not completed within PT0.15S");
                    end.countDown();
                });
    }

    @Test
    void limitsHowLongAConnectionOfTheApplicationWaitsForTheDatabase() {
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withPropertyValues(
                        "framework.jdbc.network-timeout=7s",
                        "spring.datasource.url=" + PostgresqlServer.shared().newDatabase(),
                        "spring.datasource.username=" + PostgresqlServer.USER)
                .run(context -> {
                    try (UnitTransaction transaction =
                            context.getBean(Store.class).unitTransactions().begin()) {
                        assertThat(transaction.resource(Connection.class).getNetworkTimeout())
                                .isEqualTo(7_000);
                    }
                });
    }

    @Test
    void limitsTheHandlersOfOneProcessorThatRunAtATime() {
        Runners.inMemory()
                .withBean(Hanging.class)
                .withBean(HoldfastServiceCustomizer.class, () -> service -> service.owns("tills"))
                .withPropertyValues("framework.handlers.threads=3")
                .run(context -> {
                    Hanging hanging = context.getBean(Hanging.class);
                    for (int number = 0; number < 100; number++) {
                        service(context)
                                .commands()
                                .execute(
                                        Command.once(Clock.systemUTC()),
                                        Till.TYPE,
                                        "till-" + number,
                                        till -> till.pay(1));
                    }

                    await().atMost(BOUND)
                            .untilAsserted(() -> assertThat(hanging.running).hasValue(3));
                    await().during(Duration.ofSeconds(2)).atMost(BOUND).until(() -> hanging.running.get() == 3);
                    hanging.end.countDown();
                });
    }

    private static HoldfastService service(ApplicationContext context) {
        return context.getBean(HoldfastService.class);
    }

    private static void hangUntil(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Handlers that hang. */
    @EventComponent(name = "hanging", reads = "tills")
    static class Hanging {

        private final CountDownLatch end = new CountDownLatch(1);
        private final AtomicInteger running = new AtomicInteger();

        @EventHandler
        void on(Paid paid) {
            running.incrementAndGet();
            hangUntil(end);
        }
    }
}

package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.EventHandler;
import io.holdfast.service.HoldfastService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Shutdown under load, and restart. */
class ShutdownTests {

    private static final int CLIENTS = 8;

    @Test
    void losesNoAcceptedCommandAndRejectsTheOthersClearly(@TempDir Path directory) {
        ApplicationContextRunner runner = Runners.inFile(directory).withUserConfiguration(Tills.class);
        AtomicInteger accepted = new AtomicInteger();
        Queue<Throwable> rejections = new ConcurrentLinkedQueue<>();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        CountDownLatch busy = new CountDownLatch(200);
        List<CompletableFuture<Void>> loads = new ArrayList<>();

        runner.run(context -> {
            EventSourcingController commands = context.getBean(EventSourcingController.class);
            IntStream.range(0, CLIENTS)
                    .mapToObj(client -> CompletableFuture.runAsync(
                            () -> rejections.add(payUntilRejected(commands, "till-" + client, accepted, busy)),
                            clients))
                    .forEach(loads::add);
            busy.await();
        }); // closes the context while the clients continue

        loads.forEach(CompletableFuture::join);
        clients.shutdown();
        assertThat(rejections).hasSize(CLIENTS).allSatisfy(rejection -> assertThat(rejection)
                .isInstanceOf(RetryableException.class)
                .hasMessage("the committer of shop has stopped; nothing was committed"));
        runner.run(context -> assertThat(IntStream.range(0, CLIENTS)
                        .map(client -> context.getBean(EventSourcingController.class)
                                .state(Till.TYPE, "till-" + client)
                                .total())
                        .sum())
                .isEqualTo(accepted.get()));
    }

    @Test
    void startsBeforeTheWebServerAndStopsAfterIt() {
        assertThat(HoldfastLifecycle.PHASE)
                .isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE)
                .isLessThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
    }

    @Test
    void closesInItsPhaseAndIsNotPausedBefore() {
        Runners.inMemory().run(context -> {
            HoldfastService service = context.getBean(HoldfastService.class);
            ConfigurableApplicationContext started = context.getSourceApplicationContext();

            started.pause();
            assertThat(service.isRunning()).isTrue();
            started.stop();

            assertThat(service.isRunning()).isFalse();
        });
    }

    @Test
    void registersMetricsInTheRegistryOfTheApplication() {
        Runners.inMemory()
                .withUserConfiguration(Tills.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    pay(context.getBean(EventSourcingController.class), "front");

                    MeterRegistry metrics = context.getBean(MeterRegistry.class);
                    assertThat(metrics.get("eventlog.append.duration").timer().count())
                            .isPositive();
                    assertThat(metrics.get("outbox.entries.written")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                    assertThat(metrics.get("dlq.pending")
                                    .tag("component", "counting")
                                    .gauge()
                                    .value())
                            .isZero();
                    await().atMost(Duration.ofSeconds(10)) // created when the first event is handled
                            .untilAsserted(() -> assertThat(metrics.find("resilience4j.circuitbreaker.state")
                                            .gauges())
                                    .isNotEmpty());
                });
    }

    private static Throwable payUntilRejected(
            EventSourcingController commands, String till, AtomicInteger accepted, CountDownLatch busy) {
        while (true) {
            try {
                pay(commands, till);
            } catch (RuntimeException e) {
                return e;
            }
            accepted.incrementAndGet();
            busy.countDown();
        }
    }

    private static void pay(EventSourcingController commands, String till) {
        commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, till, state -> state.pay(1));
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Counting.class)
    static class Tills {

        @Bean
        AggregateType<Till> till() {
            return Till.TYPE;
        }
    }

    @EventComponent(name = "counting", reads = "tills", breaker = "counting")
    static class Counting {

        @EventHandler
        void on(Till.Paid paid) {}
    }
}

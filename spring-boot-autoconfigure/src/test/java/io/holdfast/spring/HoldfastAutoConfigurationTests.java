package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.event.EventLog;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.handling.Projection;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.properties.HoldfastPropertiesAutoConfiguration;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.spring.store.H2FileAutoConfiguration;
import io.holdfast.spring.store.HoldfastStoreAutoConfiguration;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class HoldfastAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastPropertiesAutoConfiguration.class,
                    H2FileAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    HoldfastStoreAutoConfiguration.class,
                    HoldfastWireAutoConfiguration.class,
                    HoldfastAutoConfiguration.class))
            .withBean(Wire.class, io.holdfast.memory.InMemoryWire::new)
            .withPropertyValues("spring.application.name=shop");

    @Test
    void storesEventsInAFileUnlessADatabaseIsConfigured(@TempDir Path directory) {
        ApplicationContextRunner withFile =
                runner.withUserConfiguration(Tills.class).withPropertyValues("framework.h2.directory=" + directory);

        withFile.run(context -> {
            assertThat(context).hasSingleBean(HikariDataSource.class);
            pay(context.getBean(EventSourcingController.class), 7);
        });

        assertThat(directory.resolve("shop.mv.db"))
                .satisfies(file -> assertThat(Files.exists(file)).isTrue());
        withFile.run(context -> assertThat(context.getBean(EventSourcingController.class)
                        .state(Till.TYPE, "front")
                        .total())
                .isEqualTo(7));
    }

    @Test
    void providesTheBeansThatApplicationsInject() {
        runner.withPropertyValues("framework.store=memory").run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(HoldfastService.class)
                .hasSingleBean(EventSourcingController.class)
                .hasSingleBean(ViewRows.class)
                .hasSingleBean(OutboxStore.class)
                .hasSingleBean(ResilientServiceInvoker.class)
                .hasSingleBean(IdempotentExecutor.class)
                .hasSingleBean(EventLog.class)
                .hasSingleBean(CompensationRegistry.class)
                .hasSingleBean(SagaStateStore.class));
    }

    @Test
    void callsComponentsAndProjectionsThatUseTheServiceThemselves() {
        runner.withPropertyValues("framework.store=memory")
                .withUserConfiguration(Tills.class)
                .run(context -> {
                    pay(context.getBean(EventSourcingController.class), 7);

                    await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                        assertThat(context.getBean(Bookkeeping.class).seen).hasValue(7);
                        assertThat(context.getBean(ViewRows.class).find(Till.RECEIPTS, "front"))
                                .contains(new Till.Receipts(1));
                    });
                });
    }

    @Test
    void executesCommandsOfBeansThatAreBeingCreated() {
        CompletableFuture<Void> started =
                CompletableFuture.runAsync(() -> runner.withPropertyValues("framework.store=memory")
                        .withUserConfiguration(Tills.class)
                        .withBean("sample", InitializingBean.class, SampleData::new)
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            await().atMost(Duration.ofSeconds(10))
                                    .untilAsserted(() -> assertThat(context.getBean(Bookkeeping.class).seen)
                                            .hasValue(7));
                        }));

        assertThat(started).succeedsWithin(Duration.ofSeconds(40));
    }

    @Test
    void rejectsPropertiesOfUnknownProcessors() {
        runner.withPropertyValues(
                        "framework.store=memory",
                        "framework.processors.reciepts.segments=4",
                        "framework.processors.bookkeeping.segments=4")
                .withUserConfiguration(Tills.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessage("invalid Holdfast properties:\n"
                                + "  framework.processors.reciepts configures a processor that does not exist; the"
                                + " processors are [bookkeeping, receipts]"));
    }

    private static void pay(EventSourcingController commands, int amount) {
        commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, "front", till -> till.pay(amount));
    }

    static class SampleData implements InitializingBean {

        @Autowired
        @SuppressWarnings("NullAway.Init")
        private EventSourcingController commands;

        @Override
        public void afterPropertiesSet() {
            pay(commands, 7);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Bookkeeping.class)
    static class Tills {

        @Bean
        io.holdfast.aggregate.AggregateType<Till> till() {
            return Till.TYPE;
        }

        @Bean
        @EventComponent(name = "receipts", reads = "tills")
        Projection<Till.Receipts> receipts() {
            return Projection.of("receipts", Till.RECEIPTS)
                    .on(Till.Paid.class, (row, paid) -> new Till.Receipts(row == null ? 1 : row.count() + 1));
        }
    }

    @EventComponent(name = "bookkeeping", reads = "tills")
    static class Bookkeeping {

        final AtomicInteger seen = new AtomicInteger();
        private final EventSourcingController commands;

        Bookkeeping(EventSourcingController commands) {
            this.commands = commands;
        }

        @EventHandler
        void on(Till.Paid paid, EventContext context) {
            seen.set(commands.state(Till.TYPE, context.event().key()).total());
        }
    }
}

package io.holdfast.spring.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.EventHandler;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.EventComponent;
import io.holdfast.spring.HoldfastServiceCustomizer;
import io.holdfast.spring.Runners;
import io.holdfast.spring.Till;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Health and readiness of the service. */
class HealthTests {

    private static final AutoConfigurations HEALTH = AutoConfigurations.of(HoldfastHealthAutoConfiguration.class);

    @Test
    void isUpWhenTheDatabaseRespondsAndTheThreadsRun(@TempDir Path directory) {
        Runners.inFile(directory).withConfiguration(HEALTH).run(context -> {
            Health health = health(context.getBean(HoldfastHealthIndicator.class));

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).isEqualTo(Map.of("state", "OK"));
        });
    }

    @Test
    void isDownWhenTheDatabaseIsUnreachable() {
        HoldfastHealthIndicator[] indicator = new HoldfastHealthIndicator[1];
        Runners.inMemory().withConfiguration(HEALTH).run(context -> {
            indicator[0] = new HoldfastHealthIndicator(
                    context.getBean(HoldfastService.class), new DatabasePing(new UnreachableDataSource()), () -> true);

            Health health = health(indicator[0]);

            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails()).isEqualTo(Map.of("reason", "the database is unreachable: SQL state 08001"));
        });

        assertThat(health(indicator[0]).getDetails())
                .isEqualTo(Map.of(
                        "reason", "its threads are not running: not started yet, closed, or stopped by an error"));
    }

    @Test
    void isDownWhileTheCommitterMakesNoProgress() {
        CountDownLatch continuing = new CountDownLatch(1);
        Runners.inMemory()
                .withConfiguration(HEALTH)
                .withUserConfiguration(Impatient.class)
                .run(context -> {
                    HoldfastHealthIndicator indicator = context.getBean(HoldfastHealthIndicator.class);
                    var unused = context.getBean(HoldfastService.class)
                            .commands()
                            .submit(Command.once(Clock.systemUTC()), decision -> awaitUninterrupted(continuing));

                    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                        Health health = health(indicator);
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails().get("reason"))
                                .asString()
                                .startsWith("the committer of shop has made no progress for");
                    });
                    continuing.countDown();
                    await().atMost(Duration.ofSeconds(30))
                            .untilAsserted(() ->
                                    assertThat(health(indicator).getStatus()).isEqualTo(Status.UP));
                });
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void respondsInTimeWhenTheDatabaseHangsAndConnectsOnce() {
        BlockingDataSource stuck = new BlockingDataSource();
        DatabasePing ping = new DatabasePing(stuck);

        assertThat(ping.failure()).contains("the database did not respond within 2 s");
        assertThat(ping.failure()).contains("the database did not respond within 2 s");
        assertThat(stuck.connectionRequests).isEqualTo(1);
        stuck.released.countDown();

        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(ping.failure())
                .contains("the database is unreachable: SQL state 08006"));
    }

    @Test
    void reportsWaitingPartsAsDegradedAndStaysUp() {
        Runners.inMemory()
                .withConfiguration(HEALTH)
                .withUserConfiguration(Waiting.class)
                .withPropertyValues("framework.processors.waiting.segments=1")
                .run(context -> {
                    HoldfastService service = context.getBean(HoldfastService.class);
                    service.resilience()
                            .circuitBreakers()
                            .circuitBreaker("payments")
                            .transitionToOpenState();
                    HoldfastHealthIndicator indicator =
                            new HoldfastHealthIndicator(service, new DatabasePing(null), () -> false);

                    await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                        Health health = health(indicator);
                        assertThat(health.getStatus()).isEqualTo(Status.UP);
                        assertThat(health.getDetails())
                                .isEqualTo(
                                        Map.of(
                                                "state",
                                                "DEGRADED",
                                                "degraded",
                                                List.of(
                                                        new Degradation(
                                                                "wire",
                                                                "it is down; events wait in the log and are published when it is up again"),
                                                        new Degradation("breaker payments", "it is OPEN"),
                                                        new Degradation(
                                                                "processor waiting",
                                                                "the source of stream elsewhere does not respond yet; retrying"))));
                    });
                });
    }

    @Test
    void isDegradedWhileNoServiceAnswersTheCommandsOfASaga() {
        Runners.inMemory()
                .withConfiguration(HEALTH)
                .withUserConfiguration(Unanswered.class)
                .run(context -> {
                    HoldfastHealthIndicator indicator = context.getBean(HoldfastHealthIndicator.class);

                    await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                                    health(indicator).getDetails().get("degraded"))
                            .asInstanceOf(InstanceOfAssertFactories.list(Degradation.class))
                            .contains(new Degradation(
                                    "sagas",
                                    "saga Ride awaits replies in stream cars, but no running service" + " owns it")));
                    assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                });
    }

    @Test
    void isPartOfReadinessByDefault(@TempDir Path directory) {
        try (ConfigurableApplicationContext context = application(directory)) {
            assertThat(context.getEnvironment().getProperty("management.endpoint.health.group.readiness.include"))
                    .isEqualTo("readinessState,holdfast");
            assertThat(context.getBean(HealthEndpoint.class).healthForPath("readiness", "holdfast"))
                    .isNotNull();
        }
    }

    private static ConfigurableApplicationContext application(Path directory) {
        SpringApplication application = new SpringApplication(Ready.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(
                "--spring.application.name=shop",
                "--framework.h2.directory=" + directory,
                "--framework.hazelcast.cluster-name=" + directory.getFileName(),
                "--spring.autoconfigure.exclude=" + Runners.JPA);
    }

    private static Health health(HoldfastHealthIndicator indicator) {
        return indicator.health();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Ready {}

    @Configuration(proxyBeanMethods = false)
    @Import(Waiter.class)
    static class Waiting {

        @Bean
        AggregateType<Till> till() {
            return Till.TYPE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unanswered {

        @Bean
        SagaDefinition<Till.Paid> ride() {
            return SagaDefinition.named("Ride", Till.Paid.class)
                    .step("order-car")
                    .command(paid -> paid)
                    .repliedBy("cars", "CarOrdered")
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Impatient {

        @Bean
        HoldfastServiceCustomizer impatient() {
            return service -> service.stallTimeout(Duration.ofMillis(200));
        }
    }

    @EventComponent(name = "waiting", reads = "elsewhere")
    static class Waiter {

        @EventHandler
        void on(Till.Paid paid) {}
    }

    private static final class UnreachableDataSource extends AbstractDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("connection refused", "08001");
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }

    private static final class BlockingDataSource extends AbstractDataSource {

        final CountDownLatch released = new CountDownLatch(1);
        volatile int connectionRequests;

        @Override
        public synchronized Connection getConnection() throws SQLException {
            connectionRequests++;
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new SQLException("interrupted", e);
            }
            throw new SQLException("the server has disconnected", "08006");
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }
}

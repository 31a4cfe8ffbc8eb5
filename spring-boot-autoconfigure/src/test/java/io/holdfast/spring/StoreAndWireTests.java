package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The store and the wire that a service gets, and what it logs about them. */
@ExtendWith(OutputCaptureExtension.class)
class StoreAndWireTests {

    @Test
    void logsWhatAFileSurvives(@TempDir Path directory, CapturedOutput output) {
        Runners.inFile(directory).run(context -> assertThat(output)
                .contains("Service shop started. Store: H2 (jdbc:h2:file:" + directory
                        + "/shop), acknowledged commits survive the process but not a power loss, and only one process can"
                        + " open it. Wire: memory, reaches this process only"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc ", "", "JDBC"})
    void storesEventsInAFileHoweverThePropertyIsWritten(String store, @TempDir Path directory, CapturedOutput output) {
        Runners.inFile(directory)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("written", Map.of("framework.store", store))))
                .run(context -> assertThat(output).contains("Store: H2 (jdbc:h2:file:"));
    }

    @Test
    void opensTheStoreAfterTheApplicationsOwnTablesAreCreated(@TempDir Path directory) {
        Runners.inFile(directory)
                .withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
                .withPropertyValues(
                        "spring.sql.init.mode=always", "spring.sql.init.schema-locations=classpath:own-tables.sql")
                .run(context -> assertThat(context.getBean(JdbcTemplate.class)
                                .queryForObject("select found from own_tables", Integer.class))
                        .as("Holdfast tables that existed when the application's migrations ran")
                        .isZero());
    }

    @Test
    void logsThatMemoryDoesNotSurvive(CapturedOutput output) {
        Runners.inMemory().run(context -> {
            assertThat(context).hasSingleBean(InMemoryStore.class);
            assertThat(output).contains("Store: memory, no data survives the process.");
        });
    }

    @Test
    void usesTheConfiguredDatabaseAndLogsWhatItSurvives(CapturedOutput output) {
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
                .run(context -> {
                    assertThat(context).getBean(Store.class).isInstanceOf(JdbcStore.class);
                    assertThat(output).contains("no data survives the process");
                });
    }

    @Test
    void listsTheChoicesIfThereIsNoDatabase() {
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withClassLoader(new FilteredClassLoader("org.h2", "org.postgresql"))
                .run(context -> assertThat(rejection(context))
                        .hasMessage("framework.store=jdbc needs a database: set spring.datasource.url, or add H2 to the"
                                + " class path for an embedded file, or set framework.store=memory if no data needs to"
                                + " survive"));
    }

    @Test
    void requiresAPrimaryDataSourceIfThereAreSeveral() {
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withBean("one", DataSource.class, HikariDataSource::new)
                .withBean("two", DataSource.class, HikariDataSource::new)
                .run(context -> assertThat(rejection(context))
                        .hasMessage("there are several DataSource beans and none is primary; mark the one for the"
                                + " service's events as @Primary"));
    }

    @Test
    void rejectsTheDatabaseOfAnotherService() {
        String url = "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withPropertyValues(url)
                .run(context -> assertThat(context).hasNotFailed());

        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withPropertyValues(url, "spring.application.name=warehouse")
                .run(context -> assertThat(rejection(context))
                        .hasMessageStartingWith(
                                "cannot open the store of service warehouse: the tables of this database"
                                        + " belong to service shop, and service warehouse cannot share them"));
    }

    @Test
    void backsOffIfTheApplicationDefinesAStore() {
        InMemoryStore store = new InMemoryStore("shop", Clock.systemUTC());
        Runners.all()
                .withBean(Wire.class, InMemoryWire::new)
                .withBean(Store.class, () -> store)
                .run(context -> assertThat(context).getBean(Store.class).isSameAs(store));
    }

    @Test
    void doesNotGuessTheHazelcastInstance() {
        HazelcastInstance stub = (HazelcastInstance) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HazelcastInstance.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 0;
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });

        Runners.all()
                .withPropertyValues("framework.store=memory")
                .withBean("one", HazelcastInstance.class, () -> stub, bean -> bean.setDestroyMethodName(""))
                .withBean("two", HazelcastInstance.class, () -> stub, bean -> bean.setDestroyMethodName(""))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessage("there are several HazelcastInstance beans and none is primary; mark the one that"
                                + " Holdfast should use as @Primary"));
    }

    @Test
    void doesNotGuessTheEnqueuePolicy() {
        Runners.inMemory()
                .withBean("one", EnqueuePolicy.class, () -> EnqueuePolicy.ALWAYS_ENQUEUE)
                .withBean("two", EnqueuePolicy.class, () -> EnqueuePolicy.ALWAYS_ENQUEUE)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageStartingWith("there are several EnqueuePolicy beans and none is primary"));
    }

    @Test
    void usesTheApplicationsHazelcastInstanceUnlessMembersAreConfiguredAndLeavesItOpen() {
        HazelcastInstance instance = Hazelcast.newHazelcastInstance(standaloneConfig());
        try {
            Runners.all()
                    .withBean(HazelcastInstance.class, () -> instance, bean -> bean.setDestroyMethodName(""))
                    .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                    .withPropertyValues("framework.store=memory")
                    .run(context -> {
                        assertThat(context.getBean(HazelcastWire.class).instance())
                                .isSameAs(instance);
                        assertThat(context.getBean(MeterRegistry.class)
                                        .find("wire.records.refused")
                                        .counters())
                                .hasSize(2);
                    });

            assertThat(instance.getLifecycleService().isRunning()).isTrue();

            Runners.all()
                    .withBean(HazelcastInstance.class, () -> instance, bean -> bean.setDestroyMethodName(""))
                    .withPropertyValues("framework.store=memory", "framework.hazelcast.members=127.0.0.1:1")
                    .run(context -> assertThat(
                                    context.getBean(HazelcastWire.class).isUp())
                            .as("connected to the configured cluster, which is down")
                            .isFalse());
        } finally {
            instance.shutdown();
        }
    }

    @Test
    void startsWhileTheSharedClusterIsDown() {
        Runners.all()
                .withPropertyValues(
                        "framework.store=memory",
                        "framework.hazelcast.members=127.0.0.1:1",
                        "framework.wire.signing=required",
                        "framework.wire.signing-key=new:a secret that is long enough, old: another one that is long")
                .run(context -> {
                    assertThat(context.getBean(HazelcastWire.class).isUp()).isFalse();
                    assertThat(context.getBean(HoldfastService.class).isRunning())
                            .isTrue();
                });
    }

    @Test
    void reachesThisProcessOnlyWithoutHazelcast() {
        Runners.all()
                .withClassLoader(new FilteredClassLoader("io.holdfast.hazelcast", "com.hazelcast"))
                .withPropertyValues("framework.store=memory")
                .run(context -> assertThat(context).getBean(Wire.class).isInstanceOf(InMemoryWire.class));
    }

    private static Throwable rejection(AssertableApplicationContext context) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "the application has started");
        while (failure.getCause() != null && !(failure instanceof InvalidConfigurationException)) {
            failure = failure.getCause();
        }
        assertThat(failure).isInstanceOf(InvalidConfigurationException.class);
        return failure;
    }

    private static Config standaloneConfig() {
        Config config = new Config();
        config.setClusterName(UUID.randomUUID().toString());
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        return config;
    }
}

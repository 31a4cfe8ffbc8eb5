package io.holdfast.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.EventComponent;
import io.holdfast.spring.HoldfastServiceCustomizer;
import io.holdfast.spring.Till;
import io.holdfast.testsupport.TransactionLoss;
import io.holdfast.view.ViewRows;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Guarantees for handlers that write application rows, and for {@code @Transactional} methods, in each database. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ApplicationRowsTests {

    private ConfigurableApplicationContext context;
    private EventSourcingController commands;
    private JdbcTemplate jdbc;

    /**
     * Returns the properties that configure the database.
     *
     * @param directory the directory for a database file
     */
    abstract Map<String, Object> properties(Path directory);

    @BeforeAll
    void start(@TempDir Path directory) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(properties(directory));
        application.addInitializers(started -> TestPropertyValues.of(
                        "spring.application.name=shop",
                        "framework.hazelcast.cluster-name=" + UUID.randomUUID(),
                        "framework.resilience.retry.max-attempts=1",
                        "framework.outbox.poll-interval=1h")
                .applyTo(started));
        context = application.run();
        commands = context.getBean(EventSourcingController.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(100) primary key, amount int)");
    }

    @AfterAll
    void stop() throws Exception {
        context.close();
        stopDatabase();
    }

    /** Runs after the application has been closed. */
    void stopDatabase() throws Exception {}

    @BeforeEach
    void resetBehaviour() {
        context.getBean(Ledger.class).behaviour = Behaviour.WRITES;
    }

    @Test
    void commitsRowsEffectsAndPositionTogether() {
        pay("together", 5);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(ids()).contains("together/template", "together/method");
            assertThat(context.getBean(ViewRows.class).find(Till.RECEIPTS, "together"))
                    .contains(new Till.Receipts(5));
        });
    }

    @Test
    void rollsBackTheRowsOfAFailedHandlerOnly() {
        commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, "failing", till -> List.of(new Till.Paid(-1)));
        pay("healthy", 6);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(ids()).contains("healthy/template", "healthy/method");
            assertThat(findCause("failing")).isEqualTo("no negative amounts");
        });
        assertThat(ids()).noneMatch(id -> id.startsWith("failing/"));
    }

    @Test
    void failsAHandlerThatSwallowsTheFailureOfATransactionalMethod() {
        context.getBean(Ledger.class).behaviour = Behaviour.CATCHES_FAILURE;

        pay("caught", 7);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(findCause("caught"))
                .isEqualTo("a @Transactional method that component ledger called failed or marked its transaction"
                        + " rollback-only, but the handler completed; its writes are rolled back. Let the exception"
                        + " propagate out of the handler, or run the method in its own transaction with REQUIRES_NEW"));
        assertThat(ids()).noneMatch(id -> id.startsWith("caught/"));
    }

    @Test
    void keepsASeparateTransactionWhenTheHandlerFails() {
        context.getBean(Ledger.class).behaviour = Behaviour.WRITES_SEPARATELY_AND_FAILS;

        pay("separate", 8);

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(findCause("separate")).isEqualTo("after a separate write"));
        assertThat(ids()).contains("separate/new").doesNotContain("separate/template", "separate/method");
    }

    /** Other events of the segment continue. */
    @Test
    void parksAnEventThatLosesItsTransaction() {
        pay("losing", Ledger.LOSING_AMOUNT);
        for (int number = 0; number < 20; number++) {
            pay("kept-" + number, 1);
        }

        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(findCause("losing")).startsWith("its handler lost the database transaction 3 times in a row");
            assertThat(ids()).filteredOn(id -> id.startsWith("kept-")).hasSize(40);
        });
        assertThat(ids()).noneMatch(id -> id.startsWith("losing"));
    }

    @Test
    void outboxJoinsTransactionalMethods() {
        Shop shop = context.getBean(Shop.class);
        shop.sell("sold", false);
        assertThatThrownBy(() -> shop.sell("unsold", true)).hasMessage("changed our minds");

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                        context.getBean(HoldfastService.class).eventLog().readKey("sales", "sold", 0, 10))
                .hasSize(1));
        assertThat(context.getBean(HoldfastService.class).eventLog().readKey("sales", "unsold", 0, 10))
                .isEmpty();
        assertThat(ids()).contains("sold").doesNotContain("unsold");
        assertThatThrownBy(() -> context.getBean(OutboxStore.class).write("sales", "nowhere", shop.event()))
                .isInstanceOf(PermanentException.class);
    }

    @Test
    void publishesOutboxEntriesOfAHandlerImmediately() {
        context.getBean(Ledger.class).behaviour = Behaviour.SELLS;

        pay("selling", 9);

        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                        context.getBean(HoldfastService.class).eventLog().readKey("sales", "selling", 0, 10))
                .hasSize(1));
    }

    private void pay(String key, int amount) {
        commands.execute(Command.once(Clock.systemUTC()), Till.TYPE, key, till -> till.pay(amount));
    }

    private List<String> ids() {
        return jdbc.queryForList("select id from entry", String.class);
    }

    /** Returns why the event of a key was parked. */
    private @Nullable String findCause(String key) {
        for (Iterable<DeadLetter> sequence : context.getBean(HoldfastService.class)
                .deadLetterQueue("ledger", "ledger")
                .deadLetters()) {
            for (DeadLetter letter : sequence) {
                if (letter.message().key().equals(key) && letter.cause() != null) {
                    return letter.cause().message();
                }
            }
        }
        return null;
    }

    enum Behaviour {
        WRITES,
        SELLS,
        CATCHES_FAILURE,
        WRITES_SEPARATELY_AND_FAILS
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Ledger.class, Entries.class, Shop.class})
    static class Application {

        @Bean
        AggregateType<Till> till() {
            return Till.TYPE;
        }

        @Bean
        HoldfastServiceCustomizer sales() {
            return service -> service.owns("sales");
        }
    }

    @EventComponent(name = "ledger", reads = "tills", writesApplicationRows = true)
    static class Ledger {

        static final int LOSING_AMOUNT = 1_000;

        private final JdbcTemplate jdbc;
        private final DataSource dataSource;
        private final Entries entries;
        private final Shop shop;
        volatile Behaviour behaviour = Behaviour.WRITES;

        Ledger(JdbcTemplate jdbc, DataSource dataSource, Entries entries, Shop shop) {
            this.jdbc = jdbc;
            this.dataSource = dataSource;
            this.entries = entries;
            this.shop = shop;
        }

        @EventHandler
        void on(Till.Paid paid, EventContext context) throws SQLException {
            String key = context.event().key();
            jdbc.update("insert into entry values (?, ?)", key + "/template", paid.amount());
            entries.add(key + "/method", paid.amount());
            context.update(Till.RECEIPTS, key, row -> new Till.Receipts(paid.amount()));
            if (paid.amount() == LOSING_AMOUNT) {
                jdbc.execute(TransactionLoss.prepare(dataSource));
            }
            if (behaviour == Behaviour.SELLS) {
                shop.sell(key, false);
            }
            if (behaviour == Behaviour.CATCHES_FAILURE) {
                assertThatThrownBy(() -> entries.fail(key + "/failed")).isInstanceOf(IllegalStateException.class);
            }
            if (behaviour == Behaviour.WRITES_SEPARATELY_AND_FAILS) {
                entries.addInNewTransaction(key + "/new", paid.amount());
                throw new IllegalStateException("after a separate write");
            }
            if (paid.amount() < 0) {
                throw new IllegalArgumentException("no negative amounts");
            }
        }
    }

    /** A service that knows nothing of events. */
    static class Entries {

        private final JdbcTemplate jdbc;

        Entries(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public void add(String id, int amount) {
            jdbc.update("insert into entry values (?, ?)", id, amount);
        }

        @Transactional
        public void fail(String id) {
            add(id, 0);
            throw new IllegalStateException("on purpose");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void addInNewTransaction(String id, int amount) {
            jdbc.update("insert into entry values (?, ?)", id, amount);
        }
    }

    /** A service that writes application rows and publishes events through the outbox. */
    static class Shop {

        private final OutboxStore outbox;
        private final JdbcTemplate jdbc;
        private final PayloadCodec codec;

        Shop(OutboxStore outbox, JdbcTemplate jdbc, PayloadCodec codec) {
            this.outbox = outbox;
            this.jdbc = jdbc;
            this.codec = codec;
        }

        @Transactional
        public void sell(String id, boolean fails) {
            jdbc.update("insert into entry values (?, 1)", id);
            outbox.write("sales", id, event());
            if (fails) {
                throw new IllegalStateException("changed our minds");
            }
        }

        NewEvent event() {
            return new NewEvent(codec.encode(new Till.Paid(1)), Metadata.none());
        }
    }
}

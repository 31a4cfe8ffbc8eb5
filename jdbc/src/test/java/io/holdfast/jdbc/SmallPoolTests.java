package io.holdfast.jdbc;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.testsupport.PostgresqlServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No thread needs a second connection while it has one, so that any pool is large enough. */
@Timeout(120)
class SmallPoolTests {

    /** Longer than any test, so that a test fails if a thread waits for a second connection. */
    private static final Duration CONNECTION_TIMEOUT = Duration.ofMinutes(5);

    private static final int REQUESTS = 10;

    private final PayloadCodec codec = new PayloadCodec();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    /** After a start, all connections are in transactions that write to a new stream at the same time. */
    @ParameterizedTest
    @EnumSource
    void concurrentFirstWritesToTheOutboxNeedNoFurtherConnection(Dialect dialect) throws Exception {
        HikariDataSource pool = pool(dialect, REQUESTS);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        JdbcStore store = open(pool, transactions);
        CyclicBarrier allInTransaction = new CyclicBarrier(REQUESTS);

        try (TestThreads threads = new TestThreads()) {
            List<Future<Long>> written = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                String key = "customer-" + i;
                written.add(threads.start(() -> transactions.run(connection -> {
                    awaitAll(allInTransaction);
                    return store.outboxStore().write("customers", key, event()).version();
                })));
            }
            for (Future<Long> version : written) {
                assertThat(version.get(60, TimeUnit.SECONDS)).isEqualTo(1);
            }
        }
        assertThat(store.outboxStore().countUnpositioned()).isEqualTo(REQUESTS);
    }

    @ParameterizedTest
    @EnumSource
    void writesToTheOutboxOnTheOnlyConnection(Dialect dialect) {
        HikariDataSource pool = pool(dialect, 3);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        JdbcStore store = open(pool, transactions);
        shrink(pool);

        transactions.run(connection -> store.outboxStore().write("customers", "ann", event()));

        assertThat(store.outboxStore().assignPositions(10)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsADuplicateOnTheOnlyConnection(Dialect dialect) {
        HikariDataSource pool = pool(dialect, 3);
        JdbcStore store = open(pool, CurrentConnection.NONE);
        shrink(pool);
        StoreWriter writer = new StoreWriter(store.commitStore(), Clock.systemUTC(), codec);
        EventDraft draft = writer.draft("notes", "a", 1);
        writer.commit(events(draft));

        assertThat(writer.rejections(events(writer.draft(draft.id(), "notes", "b", 1))))
                .singleElement()
                .satisfies(rejection -> assertThat(rejection.kind()).isEqualTo(Rejection.Kind.DUPLICATE));
    }

    @Test
    void runsAServiceOnTheOnlyConnection() {
        HikariDataSource pool = pool(Dialect.POSTGRESQL, 3);
        JdbcStore store = open(pool, CurrentConnection.NONE);
        shrink(pool);
        try (HoldfastService service = HoldfastService.named("kit", store, new InMemoryWire())
                .owns("accounts")
                .processor("own", processor -> processor
                        .reads("accounts")
                        .calls(Component.named("counting")
                                .on(Accounts.Deposited.class, (deposited, context) -> {})
                                .build()))
                .start()) {
            Command command = Command.keyed("ann", "1");
            service.commands().execute(command, Accounts.deposit("ann", 5));

            assertThat(service.commands()
                            .execute(command, Accounts.deposit("ann", 5))
                            .duplicate())
                    .isTrue();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> service.processor("own").status().isClaimed());
        }
    }

    /** Those that wait for the head must not occupy the threads that its owner needs. */
    @Test
    void callersThatWaitForTheHeadDoNotDelayReadsOnH2() throws Exception {
        JdbcStore store = open(pool(Dialect.H2, 30), CurrentConnection.NONE);
        try (TestThreads threads = new TestThreads();
                var session = store.commitStore().open()) {
            session.lockHead();
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String group = "group-" + i;
                waiting.add(threads.run(() -> store.consumerGroups().register(group, "orders")));
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> Thread.getAllStackTraces().values().stream()
                                    .filter(SmallPoolTests::waitsForTheHead)
                                    .count()
                            == 20);

            assertThat(store.eventLog().position()).isZero();
            assertThat(waiting).noneMatch(Future::isDone);
        }
    }

    @Test
    void refusesAPoolThatIsTooSmallForMigrations() {
        HikariDataSource pool = pool(Dialect.POSTGRESQL, 1);

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> JdbcStore.in("kit", pool).open())
                .withMessageContaining("has 1 connection and needs at least 2");
    }

    /** Leaves one connection: after the migrations, the store needs no more. */
    private static void shrink(HikariDataSource pool) {
        pool.setMaximumPoolSize(1);
        pool.getHikariPoolMXBean().softEvictConnections();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> pool.getHikariPoolMXBean().getTotalConnections() <= 1);
    }

    private static boolean waitsForTheHead(StackTraceElement[] stack) {
        return List.of(stack).stream().anyMatch(frame -> frame.getClassName().equals(H2HeadMutex.class.getName()));
    }

    private NewEvent event() {
        return new NewEvent(codec.encode(new Noted("renamed")), Metadata.none());
    }

    private JdbcStore open(HikariDataSource pool, CurrentConnection transactions) {
        JdbcStore store = JdbcStore.in("kit", pool)
                .clock(Clock.systemUTC())
                .timeouts(new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)))
                .transactions(transactions)
                .open();
        opened.add(0, store);
        return store;
    }

    private HikariDataSource pool(Dialect dialect, int size) {
        HikariDataSource pool = new HikariDataSource();
        boolean isPostgresql = dialect == Dialect.POSTGRESQL;
        pool.setJdbcUrl(
                isPostgresql
                        ? PostgresqlServer.shared().newDatabase()
                        : "jdbc:h2:file:" + folder.resolve("log") + ";LOCK_TIMEOUT=30000");
        pool.setUsername(isPostgresql ? PostgresqlServer.USER : "sa");
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(1);
        pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        opened.add(pool);
        return pool;
    }

    private static void awaitAll(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

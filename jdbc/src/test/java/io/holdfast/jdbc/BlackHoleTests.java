package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.RetryableException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.testsupport.BlackHoleProxy;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.token.ClaimedToken;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The network between one of two replicas and PostgreSQL drops everything, without closing a connection. */
@Tag("long")
@Timeout(300)
class BlackHoleTests {

    /** A command is answered after the stall timeout, plus the time that a loaded machine takes to notice. */
    private static final Duration COMMAND_BOUND = Duration.ofSeconds(15);

    private static final Duration TAKEOVER_BOUND = Duration.ofSeconds(30);
    private static final Duration REFUSAL_PAUSE = Duration.ofMillis(10);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String url = PostgresqlServer.shared().newDatabase();
    private final BlackHoleProxy proxy = BlackHoleProxy.to(url);
    private final InMemoryWire wire = new InMemoryWire();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger keys = new AtomicInteger();
    private final JdbcStore otherStore = store(url);
    private final HoldfastService other = service("other", otherStore);
    private JdbcStore cutStore;
    private HoldfastService cut;

    /** Where the replica gets its connections from. */
    enum Pool {
        OWN,
        /** Of the application, with HikariCP's defaults and the login timeout that the store asks for. */
        APPLICATION
    }

    @BeforeEach
    void startOther() {
        other.start();
    }

    @AfterEach
    void close() {
        proxy.close(); // before the services, which would wait for their connections
        cut.close();
        other.close();
        cutStore.close();
        otherStore.close();
    }

    @ParameterizedTest
    @EnumSource
    void commandsAreAnsweredAndAllEventsHandledWhenOpenConnectionsAreCut(Pool pool) {
        startCut(pool);
        try (Caller caller = new Caller(cut)) {
            await().atMost(BOUND).until(() -> handled.size() > 20);

            long begin = System.nanoTime();
            proxy.swallowOpenConnections();
            Set<String> afterCut = deposits(other, 50);

            await().atMost(TAKEOVER_BOUND)
                    .untilAsserted(() -> assertThat(handled).containsAll(afterCut));
            Duration continued = Duration.ofNanos(System.nanoTime() - begin);
            int before = caller.successes.get();
            await().atMost(BOUND).until(() -> caller.successes.get() > before && cut.isRunning());
            assertThat(caller.longest()).isLessThan(COMMAND_BOUND);
            report(pool, "open connections are cut: all later events are handled after " + continued, caller);
        }
        await().atMost(BOUND).untilAsserted(() -> assertThat(cut.problems()).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void otherReplicaOwnsAllSegmentsWhenNewConnectionsHangToo(Pool pool) {
        startCut(pool);
        try (Caller caller = new Caller(cut)) {
            await().atMost(BOUND).until(() -> handled.size() > 20);

            long begin = System.nanoTime();
            proxy.swallowEverything();

            await().atMost(TAKEOVER_BOUND).until(() -> ownedBy("cut") == 0 && ownedBy("other") == 16);
            Duration takeover = Duration.ofNanos(System.nanoTime() - begin);
            await().atMost(COMMAND_BOUND).until(() -> !cut.isRunning());
            Duration notReady = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(cut.problems()).anySatisfy(problem -> assertThat(problem).contains("no progress"));
            Set<String> afterCut = deposits(other, 50);
            await().atMost(BOUND).untilAsserted(() -> assertThat(handled).containsAll(afterCut));
            await().during(COMMAND_BOUND).atMost(BOUND).until(() -> !cut.isRunning() && ownedBy("cut") == 0);
            assertThat(caller.longest()).isLessThan(COMMAND_BOUND);
            report(
                    pool,
                    "new connections hang too: the other replica owns all segments after " + takeover
                            + ", not ready after at most " + notReady,
                    caller);

            proxy.forwardNewConnections();

            await().atMost(BOUND.multipliedBy(2)).until(() -> cut.isRunning() && ownedBy("cut") > 0);
            int before = caller.successes.get();
            await().atMost(BOUND).until(() -> caller.successes.get() > before);
        }
    }

    /** No thread of the engine waits forever: after the cut, each of them has ended or continued. */
    @Test
    void everyThreadOfTheEngineContinues() {
        startCut(Pool.OWN);
        deposits(cut, 20);
        await().atMost(BOUND).until(() -> handled.size() == 20);

        proxy.swallowEverything();
        long begin = System.nanoTime();
        cut.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().entrySet())
                        .as("threads that wait for the database")
                        .noneMatch(entry -> entry.getKey().getName().startsWith("holdfast-")
                                && entry.getKey().getName().contains("cut")));
    }

    @SuppressWarnings("SystemOut") // the figures are the result
    private static void report(Pool pool, String figures, Caller caller) {
        System.out.printf(
                Locale.ROOT,
                "%s, %s; longest command %s; load average %.1f%n",
                pool,
                figures,
                caller.longest(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private void startCut(Pool pool) {
        cutStore = pool == Pool.OWN
                ? store(proxy.through(url))
                : JdbcStore.in("accounts", applicationPool(proxy.through(url) + "&loginTimeout=10"))
                        .open();
        cut = service("cut", cutStore);
        cut.start();
        await().atMost(BOUND).until(() -> ownedBy("cut") == 8 && ownedBy("other") == 8);
    }

    private static JdbcStore store(String url) {
        return JdbcStore.in("accounts", PoolSettings.of(url, PostgresqlServer.USER, ""))
                .open();
    }

    private static DataSource applicationPool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(PostgresqlServer.USER);
        return new HikariDataSource(config);
    }

    private HoldfastService service(String replica, JdbcStore store) {
        return HoldfastService.named("accounts", store, wire)
                .owns("accounts")
                .replica(replica)
                .processor("copies", processor -> processor
                        .reads("accounts")
                        .calls(Component.named("copies")
                                .on(
                                        Accounts.Deposited.class,
                                        (deposited, context) ->
                                                handled.add(context.event().key()))
                                .build()))
                .build();
    }

    private long ownedBy(String replica) {
        return otherStore.tokenStore().findAll("copies").stream()
                .map(ClaimedToken::owner)
                .filter(owner -> Objects.equals(owner, replica))
                .count();
    }

    private Set<String> deposits(HoldfastService service, int count) {
        Set<String> keys = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < count; i++) {
            keys.add(deposit(service));
        }
        return keys;
    }

    private String deposit(HoldfastService service) {
        String key = "account-" + keys.incrementAndGet();
        service.commands()
                .execute(
                        Command.once(Clock.systemUTC()),
                        Accounts.ACCOUNT,
                        key,
                        balance -> List.of(new Accounts.Deposited(5)));
        return key;
    }

    /** Executes commands one after another, and measures how long each waits for its answer. */
    private final class Caller implements AutoCloseable {

        final AtomicInteger successes = new AtomicInteger();
        private final AtomicReference<Duration> longest = new AtomicReference<>(Duration.ZERO);
        private final AtomicReference<Throwable> unexpected = new AtomicReference<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private volatile long sinceNanos = System.nanoTime();

        Caller(HoldfastService service) {
            Supplier<String> call = () -> deposit(service);
            Thread thread = new Thread(() -> run(call), "caller");
            thread.setDaemon(true);
            thread.start();
        }

        private void run(Supplier<String> call) {
            while (!stopped.get()) {
                sinceNanos = System.nanoTime();
                try {
                    call.get();
                    successes.incrementAndGet();
                } catch (RetryableException e) {
                    LockSupport.parkNanos(REFUSAL_PAUSE.toNanos()); // refused, or its outcome is unknown
                } catch (RuntimeException | Error e) {
                    unexpected.set(e);
                    return;
                }
                Duration took = Duration.ofNanos(System.nanoTime() - sinceNanos);
                longest.updateAndGet(before -> took.compareTo(before) > 0 ? took : before);
            }
        }

        /** Includes the call that is still waiting. */
        Duration longest() {
            assertThat(unexpected.get()).isNull();
            Duration waiting = Duration.ofNanos(System.nanoTime() - sinceNanos);
            return waiting.compareTo(longest.get()) > 0 ? waiting : longest.get();
        }

        @Override
        public void close() {
            stopped.set(true);
        }
    }
}

package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.eventsourcing.Command;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.testsupport.FreePort;
import io.holdfast.testsupport.PostgresqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that is opened with a URL opens a pool of its own and closes it. */
class OwnPoolTests {

    private static final String SECRET = "open-sesame";

    private final Clock clock = Clock.systemUTC();
    private final InMemoryWire wire = new InMemoryWire();
    private final Path folder;

    OwnPoolTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void canBeReopened(Dialect dialect) {
        String url = url(dialect);
        String user = "postgres";
        String password = "";

        for (int time = 1; time <= 2; time++) {
            try (JdbcStore store = JdbcStore.in("accounts", PoolSettings.of(url, user, password))
                            .open();
                    HoldfastService accounts = HoldfastService.named("accounts", store, wire)
                            .owns("accounts")
                            .start()) {
                accounts.commands()
                        .execute(
                                Command.once(clock),
                                Accounts.ACCOUNT,
                                "ann",
                                balance -> List.of(new Accounts.Deposited(5)));

                assertThat(accounts.commands().state(Accounts.ACCOUNT, "ann"))
                        .isEqualTo(new Accounts.Balance(5L * time));
            }
        }
    }

    @Test
    void isNamedAfterTheServiceAndClosedWithTheStore() {
        Connections connections = Connections.pool("accounts", settings(url(Dialect.POSTGRESQL)), Timeouts.DEFAULT);
        HikariDataSource pool = (HikariDataSource) connections.dataSource();

        assertThat(pool.getPoolName()).isEqualTo("holdfast-accounts");
        assertThat(pool.getMaximumPoolSize()).isEqualTo(PoolSettings.DEFAULT_SIZE);
        assertThat(pool.getConnectionTimeout()).isEqualTo(PoolSettings.DEFAULT_TIMEOUT.toMillis());
        assertThat(pool.isAutoCommit()).isTrue();
        connections.close().run();

        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void sharesNoTransactionWithAnotherPoolOfTheSameDatabase() {
        String url = url(Dialect.POSTGRESQL);
        Connections another = Connections.pool("another", settings(url), Timeouts.DEFAULT);
        try (JdbcStore store = JdbcStore.in("accounts", settings(url)).open()) {
            assertThat(store.unitTransactions().isBackedBy(another.dataSource()))
                    .isFalse();
        } finally {
            another.close().run();
        }
    }

    @Test
    void closesAllSessionsWithTheStore() {
        String url = url(Dialect.POSTGRESQL);

        JdbcStore.in("accounts", settings(url)).open().close();

        awaitNoOtherSessions(url);
    }

    @Test
    void isClosedWhenTheStoreCannotBeOpened() throws Exception {
        String url = url(Dialect.POSTGRESQL);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table holdfast_log (in_the_way boolean)");
        }

        assertThatExceptionOfType(HoldfastException.class)
                .isThrownBy(() -> JdbcStore.in("accounts", settings(url)).open());

        awaitNoOtherSessions(url);
    }

    @Test
    void reportsThatTheUserIsRejected() throws Exception {
        String url = url(Dialect.H2);
        DriverManager.getConnection(url, "postgres", "another").close();

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(
                        () -> JdbcStore.in("accounts", PoolSettings.of(url + ";TRACE_LEVEL_FILE=0", "postgres", SECRET))
                                .open())
                .satisfies(OwnPoolTests::assertSecretNotExposed)
                .withMessage("connecting to jdbc:h2:file:" + folder.resolve("log") + " as user postgres failed: SQL"
                        + " state 28000, JdbcSQLInvalidAuthorizationSpecException");
    }

    @Test
    void reportsAMissingDatabase() {
        String url = url(Dialect.POSTGRESQL).replaceFirst("/\\w+\\?.*", "/nowhere?password=" + SECRET);

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> JdbcStore.in("accounts", settings(url)).open())
                .satisfies(OwnPoolTests::assertSecretNotExposed)
                .withMessage("connecting to " + url.replaceFirst("\\?.*", "")
                        + " as user postgres failed: SQL state 3D000, PSQLException");
    }

    @Test
    void isRetryableIfNoServerListens() {
        String url = "jdbc:postgresql://localhost:" + FreePort.find() + "/shop";

        assertThatExceptionOfType(RetryableException.class)
                .isThrownBy(() -> JdbcStore.in("accounts", settings(url)).open())
                .withMessage("connecting to " + url + " as user postgres failed: SQL state 08001, PSQLException");
    }

    @Test
    void reportsAMissingDriver() {
        String url = "jdbc:oracle://scott:" + SECRET + "@localhost/shop";

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> JdbcStore.in("accounts", settings(url)).open())
                .satisfies(OwnPoolTests::assertSecretNotExposed)
                .withMessage(
                        "no JDBC driver found for jdbc:oracle://localhost/shop as user postgres; the URL must be one of"
                                + " PostgreSQL or H2, and the database's driver must be on the class path");
    }

    @Test
    void needsMoreThanOneConnection() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> settings("jdbc:h2:mem:").size(1))
                .withMessageContaining("a pool of 1 connections is too small; use at least 2");
    }

    @Test
    void usesTheDefaultsOfTheReference() throws IOException {
        String reference = Files.readString(Path.of("../docs/reference.md"));

        assertThat(reference)
                .contains("| " + PoolSettings.DEFAULT_SIZE + " | `PoolSettings.DEFAULT_SIZE` |")
                .contains("| " + PoolSettings.DEFAULT_TIMEOUT.toSeconds() + " s | `PoolSettings.DEFAULT_TIMEOUT` |")
                .contains("| " + Timeouts.DEFAULT.lock().toSeconds() + " s | `Timeouts.DEFAULT.lock()` |")
                .contains("| " + Timeouts.DEFAULT.idleInTransaction().toSeconds()
                        + " s | `Timeouts.DEFAULT.idleInTransaction()` |");
    }

    private static void assertSecretNotExposed(Throwable thrown) {
        for (Throwable next = thrown; next != null; next = next.getCause()) {
            assertThat(next.toString()).doesNotContain(SECRET);
        }
    }

    private static PoolSettings settings(String url) {
        return PoolSettings.of(url, "postgres", SECRET);
    }

    /** The server detects a closed connection a little later. */
    private static void awaitNoOtherSessions(String url) {
        await().atMost(Duration.ofSeconds(20)).until(() -> sessions(url) == 1);
    }

    /** Counts the sessions of a database, including the one of this query. */
    private static int sessions(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_stat_activity where datname = current_database()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private String url(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL
                ? PostgresqlServer.sharedDurable().newDatabase()
                : "jdbc:h2:file:" + folder.resolve("log") + ";WRITE_DELAY=0";
    }
}

package io.holdfast.jdbc;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.event.PayloadCodec;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.testsupport.PostgresqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine's connections come from the application's pool, whatever its settings, and go back unchanged. */
class EngineConnectionTests {

    private static final Duration NETWORK = Duration.ofSeconds(4);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsEveryTransactionInReadCommitted(Dialect dialect) throws SQLException {
        HikariDataSource pool = pool(dialect, "TRANSACTION_SERIALIZABLE");
        JdbcStore store = open(pool);

        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            assertThat(isolation(dialect, transaction.resource(Connection.class)))
                    .isEqualTo("read committed");
        }
        assertThat(store.<String>read("reading", connection -> isolation(dialect, connection)))
                .isEqualTo("read committed");

        assertThat(isolationOfThePool(pool)).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** In another level, the unit would not see what was committed after its transaction began, and fail. */
    @ParameterizedTest
    @EnumSource
    void commitsAfterAnotherCommitThatTheHandlerDidNotSee(Dialect dialect) throws SQLException {
        JdbcStore store = open(pool(dialect, "TRANSACTION_REPEATABLE_READ"));
        StoreWriter writer = new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());

        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            isolation(dialect, transaction.resource(Connection.class)); // would take the snapshot
            writer.commit(events(writer.draft("notes", "a", 1)));
            try (CommitSession session = transaction.session()) {
                session.lockHead();
                assertThat(session.write(List.of(events(writer.draft("notes", "a", 2)))))
                        .isEmpty();
                session.commit();
            }
        }

        assertThat(store.eventLog().position()).isEqualTo(2);
    }

    @Test
    void runsEveryTransactionInReadCommittedWhateverTheDefaultOfTheDatabase() throws SQLException {
        HikariDataSource pool = pool(Dialect.POSTGRESQL, null);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("alter database " + connection.getCatalog()
                    + " set default_transaction_isolation = 'repeatable read'");
        }
        pool.getHikariPoolMXBean().softEvictConnections();
        JdbcStore store = open(pool);

        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            assertThat(isolation(Dialect.POSTGRESQL, transaction.resource(Connection.class)))
                    .isEqualTo("read committed");
        }
        assertThat(store.<String>read("reading", connection -> isolation(Dialect.POSTGRESQL, connection)))
                .isEqualTo("read committed");
    }

    @ParameterizedTest
    @EnumSource
    void limitsHowLongAStatementWaitsAndRestoresWhatItHasChanged(Dialect dialect) throws SQLException {
        RememberingDataSource pool = new RememberingDataSource(pool(dialect, null));
        JdbcStore store = open(pool.proxy());

        assertThat(store.<Integer>read("reading", EngineConnectionTests::networkTimeout))
                .isEqualTo(4_000);
        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            Connection handlers = transaction.resource(Connection.class);
            assertThat(networkTimeout(handlers)).isEqualTo(4_000);
            handlers.setNetworkTimeout(Runnable::run, 60_000); // for a statement that takes long
            transaction.savepoint();
            assertThat(networkTimeout(handlers)).isEqualTo(4_000);
        }

        assertThat(pool.networkTimeouts).isNotEmpty().containsOnly(0);
        assertThat(pool.isolationLevels).isNotEmpty().containsOnly(Connection.TRANSACTION_SERIALIZABLE);
    }

    @Test
    void restoresTheLockTimeoutOfThePool() throws SQLException {
        HikariDataSource pool = pool(Dialect.H2, null, ";LOCK_TIMEOUT=30000");
        pool.setMaximumPoolSize(2);
        JdbcStore store = open(pool);
        StoreWriter writer = new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());

        writer.commit(events(writer.draft("notes", "a", 1)));
        store.commitStore().raiseEpoch();
        store.unitTransactions().begin().close();

        try (Connection one = pool.getConnection();
                Connection other = pool.getConnection()) {
            assertThat(lockTimeout(one)).isEqualTo(30_000);
            assertThat(lockTimeout(other)).isEqualTo(30_000);
        }
    }

    /** Every SET makes H2 discard the prepared statements of all connections. */
    @Test
    void setsNothingThatThePoolHasSetAlready() throws SQLException {
        HikariDataSource pool = pool(Dialect.H2, null);
        JdbcStore store = open(pool);
        StoreWriter writer = new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());

        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set query_statistics true"); // not earlier: H2 keeps 100 statements
        }

        writer.commit(events(writer.draft("notes", "a", 1)));
        store.commitStore().raiseEpoch();
        store.unitTransactions().begin().close();

        assertThat(store.<List<String>>read("reading statements", EngineConnectionTests::statements))
                .anyMatch(statement -> statement.startsWith("insert into holdfast_event"))
                .noneMatch(statement -> statement.startsWith("set "));
    }

    private static List<String> statements(Connection connection) {
        List<String> statements = new ArrayList<>();
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select sql_statement from information_schema.query_statistics")) {
            while (row.next()) {
                statements.add(row.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return statements;
    }

    private static int lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select lock_timeout()")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void keepsAStricterTimeoutOfThePool() {
        HikariDataSource pool = pool(Dialect.POSTGRESQL, null, "&socketTimeout=3");
        JdbcStore store = open(pool);

        assertThat(store.<Integer>read("reading", EngineConnectionTests::networkTimeout))
                .isEqualTo(3_000);
    }

    @Test
    void losesTheConnectionOfAStatementThatTakesTooLongAndContinuesWithAnother() {
        JdbcStore store = JdbcStore.in("kit", pool(Dialect.POSTGRESQL, null))
                .timeouts(Timeouts.DEFAULT.network(Duration.ofMillis(2_100)))
                .open();
        opened.add(0, store);

        assertThatExceptionOfType(RetryableException.class)
                .isThrownBy(() -> store.<Integer>read("sleeping", connection -> {
                    throw SqlErrors.of("sleeping", failure(connection, "select pg_sleep(300)"));
                }))
                .withMessageContaining("SQL state 08006");

        assertThat(store.eventLog().position()).isZero();
    }

    @Test
    void requiresANetworkTimeoutThatIsLongerThanTheLockTimeout() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> Timeouts.DEFAULT.network(Duration.ofSeconds(2)))
                .withMessageContaining("must be longer than the lock timeout of PT2S, but is PT2S");
        assertThat(new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(5)).network())
                .isEqualTo(Duration.ofSeconds(35));
    }

    private JdbcStore open(DataSource dataSource) {
        JdbcStore store = JdbcStore.in("kit", dataSource)
                .timeouts(Timeouts.DEFAULT.network(NETWORK))
                .open();
        opened.add(0, store);
        return store;
    }

    private HikariDataSource pool(Dialect dialect, String isolation) {
        return pool(dialect, isolation, "");
    }

    private HikariDataSource pool(Dialect dialect, String isolation, String options) {
        HikariDataSource pool = new HikariDataSource();
        boolean isPostgresql = dialect == Dialect.POSTGRESQL;
        pool.setJdbcUrl(
                isPostgresql
                        ? PostgresqlServer.shared().newDatabase() + options
                        : "jdbc:h2:file:" + folder.resolve("log") + options);
        pool.setUsername(isPostgresql ? PostgresqlServer.USER : "sa");
        pool.setTransactionIsolation(isolation);
        pool.setMaximumPoolSize(3);
        pool.setMinimumIdle(1);
        opened.add(pool);
        return pool;
    }

    private static int isolationOfThePool(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.getTransactionIsolation();
        }
    }

    private static String isolation(Dialect dialect, Connection connection) {
        String query = dialect == Dialect.POSTGRESQL
                ? "select current_setting('transaction_isolation')"
                : "select lower(isolation_level) from information_schema.sessions where session_id = session_id()";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static int networkTimeout(Connection connection) {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static SQLException failure(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            return e;
        }
        throw new AssertionError("no failure");
    }
}

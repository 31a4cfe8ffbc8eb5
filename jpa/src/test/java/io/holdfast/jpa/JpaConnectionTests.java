package io.holdfast.jpa;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.Timeouts;
import io.holdfast.tck.harness.StoreWriter;
import io.holdfast.testsupport.PostgresqlServer;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JPA transactions of the engine have its timeouts and isolation level, and the pool gets its own back. */
class JpaConnectionTests {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void unitsAndReadsRunOnConnectionsOfTheEngine(Product product) throws SQLException {
        try (HikariDataSource pool = pool(product, "");
                EntityManagerFactory factory = factory(pool);
                JpaStore store = JpaStore.in("kit", factory)
                        .timeouts(Timeouts.DEFAULT.network(Duration.ofSeconds(4)))
                        .open()) {
            try (UnitTransaction transaction = store.unitTransactions().begin()) {
                assertThat(transaction
                                .resource(EntityManager.class)
                                .createNativeQuery(isolation(product), String.class)
                                .getSingleResult())
                        .isEqualTo("read committed");
                assertThat(transaction.resource(Connection.class).getNetworkTimeout())
                        .isEqualTo(4_000);
            }
            assertThat(store.deadLetterStore().counts("kit/p/c").letters()).isZero();

            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
                assertThat(connection.getNetworkTimeout()).isZero();
                assertThat(connection.getAutoCommit()).isTrue();
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** The engine's lock timeout belongs to the connection on H2, which the application uses next. */
    @Test
    void restoresTheLockTimeoutOfThePool() throws SQLException {
        try (HikariDataSource pool = pool(Product.H2, ";LOCK_TIMEOUT=30000");
                EntityManagerFactory factory = factory(pool);
                JpaStore store = JpaStore.in("kit", factory).open()) {
            StoreWriter writer = new StoreWriter(store.commitStore(), Clock.systemUTC(), new PayloadCodec());

            writer.commit(events(writer.draft("notes", "a", 1)));
            store.commitStore().raiseEpoch();
            store.deadLetterStore().change("kit/p", reads -> LetterWrites.NONE);
            store.deadLetterStore().counts("kit/p/c");
            store.unitTransactions().begin().close();
            try (UnitTransaction transaction = store.unitTransactions().begin()) {
                transaction.resource(EntityManager.class).flush();
                try (CommitSession session = transaction.session()) {
                    session.lockHead();
                    session.write(List.of(events(writer.draft("notes", "a", 2))));
                    session.commit();
                }
            }

            try (Connection one = pool.getConnection();
                    Connection other = pool.getConnection()) {
                assertThat(lockTimeout(one)).isEqualTo(30_000);
                assertThat(lockTimeout(other)).isEqualTo(30_000);
            }
        }
    }

    private static int lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select lock_timeout()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static EntityManagerFactory factory(HikariDataSource pool) {
        PersistenceConfiguration configuration =
                new PersistenceConfiguration("kit").property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, pool);
        JpaStore.entities().forEach(configuration::managedClass);
        return configuration.createEntityManagerFactory();
    }

    private static String isolation(Product product) {
        return product == Product.POSTGRESQL
                ? "select current_setting('transaction_isolation')"
                : "select lower(isolation_level) from information_schema.sessions where session_id = session_id()";
    }

    private HikariDataSource pool(Product product, String options) {
        HikariDataSource pool = new HikariDataSource();
        boolean isPostgresql = product == Product.POSTGRESQL;
        pool.setJdbcUrl(
                isPostgresql
                        ? PostgresqlServer.shared().newDatabase()
                        : "jdbc:h2:file:" + folder.resolve("log") + options);
        pool.setUsername(isPostgresql ? PostgresqlServer.USER : "sa");
        pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        pool.setMaximumPoolSize(2);
        return pool;
    }
}

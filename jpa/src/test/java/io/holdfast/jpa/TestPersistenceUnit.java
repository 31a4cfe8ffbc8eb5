package io.holdfast.jpa;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.testsupport.PostgresqlServer;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;

/** Persistence units on real, empty databases, which are emptied and reused. One server per JVM. */
final class TestPersistenceUnit {

    /** The store's tables and those of the tests. */
    private static final List<String> TABLES = List.of(
            "holdfast_event",
            "holdfast_stream",
            "holdfast_snapshot",
            "holdfast_row",
            "holdfast_token",
            "holdfast_definition",
            "holdfast_idempotency",
            "holdfast_outbox",
            "holdfast_outbox_key",
            "holdfast_consumer_group",
            "holdfast_replica",
            "holdfast_known_service",
            "holdfast_sequence",
            "holdfast_letter",
            "holdfast_queue",
            "holdfast_action",
            "holdfast_action_item",
            "holdfast_resolved_letter",
            "holdfast_cause_group",
            "handler_row",
            "seat");

    private static final Map<Product, Deque<TestPersistenceUnit>> FREE = new EnumMap<>(Product.class);

    private final Product product;
    private final HikariDataSource dataSource;
    private final EntityManagerFactory factory;

    private TestPersistenceUnit(Product product, String url, String user) {
        this.product = product;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(1);
        this.dataSource = new HikariDataSource(config);
        JdbcStore.in("tables", dataSource).open().close();
        run("update holdfast_log set service = null"); // the next store claims it
        run("create table handler_row (number bigint primary key, content varchar(255) not null)");
        run("create table seat (name varchar(50) primary key, taken integer not null, version integer not null)");
        this.factory = configuration().createEntityManagerFactory();
    }

    /** Returns a unit with the entities of the store and of the tests, which Hibernate validates against the tables. */
    PersistenceConfiguration configuration() {
        PersistenceConfiguration configuration = withoutEntities();
        JpaStore.entities().forEach(configuration::managedClass);
        return configuration.managedClass(ApplicationRow.class).managedClass(Seat.class);
    }

    PersistenceConfiguration withoutEntities() {
        return new PersistenceConfiguration("kit")
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource)
                .property(AvailableSettings.HBM2DDL_AUTO, "validate");
    }

    static synchronized TestPersistenceUnit acquire(Product product) {
        TestPersistenceUnit free = free(product).pollFirst();
        return free != null ? free : product == Product.POSTGRESQL ? newPostgresql() : newH2();
    }

    Product product() {
        return product;
    }

    DataSource dataSource() {
        return dataSource;
    }

    EntityManagerFactory factory() {
        return factory;
    }

    /** Empties the database for the next test. */
    void release() {
        TABLES.forEach(table -> run("delete from " + table));
        String newId = product == Product.POSTGRESQL ? "gen_random_uuid()" : "random_uuid()";
        run("update holdfast_log set log_id = " + newId
                + ", epoch = 1, head_position = 0, commits = 0, service = null");
        run("delete from holdfast_epoch where epoch > 1");
        synchronized (TestPersistenceUnit.class) {
            free(product).addFirst(this);
        }
    }

    void backdate(String table, String column, Duration time) {
        String older = product == Product.POSTGRESQL
                ? column + " - interval '" + time.toMillis() + " milliseconds'"
                : "dateadd(millisecond, " + time.negated().toMillis() + ", " + column + ")";
        run("update " + table + " set " + column + " = " + older);
    }

    void run(String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Returns the first column of a query with plain JDBC, which sees only committed data. */
    List<String> query(String sql) {
        List<String> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                found.add(row.getString(1));
            }
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
        return found;
    }

    private static Deque<TestPersistenceUnit> free(Product product) {
        return FREE.computeIfAbsent(product, unused -> new ArrayDeque<>());
    }

    private static TestPersistenceUnit newPostgresql() {
        return new TestPersistenceUnit(
                Product.POSTGRESQL, PostgresqlServer.shared().newDatabase(), PostgresqlServer.USER);
    }

    private static TestPersistenceUnit newH2() {
        try {
            Path folder = Files.createTempDirectory("holdfast-jpa");
            return new TestPersistenceUnit(
                    Product.H2, "jdbc:h2:file:" + folder.resolve("log") + ";WRITE_DELAY=0", "sa");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

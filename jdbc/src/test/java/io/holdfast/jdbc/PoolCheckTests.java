package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.testsupport.PostgresqlServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** When a store opens, it checks the application's pool and names the settings with which its threads could wait too long. */
class PoolCheckTests {

    private final String url = PostgresqlServer.shared().newDatabase();

    @TempDir
    Path folder;

    @Test
    void acceptsThePoolOfTheStore() {
        Connections own =
                Connections.pool("kit", PoolSettings.of(url, PostgresqlServer.USER, ""), Timeouts.DEFAULT);
        try {
            assertThat(warnings(own.dataSource())).isEmpty();
        } finally {
            own.close().run();
        }
    }

    @Test
    void acceptsAPoolWithTimeouts() {
        try (HikariDataSource pool = pool(url + "&socketTimeout=10&tcpKeepAlive=true")) {
            pool.setConnectionTimeout(5_000);

            assertThat(warnings(pool)).isEmpty();
        }
    }

    /** HikariCP waits 30 s, and PostgreSQL's driver forever. */
    @Test
    void namesBothSettingsThatTheDefaultsLack() {
        try (HikariDataSource pool = pool(url)) {
            assertThat(warnings(pool))
                    .satisfiesExactly(
                            driver -> assertThat(driver)
                                    .contains("pool of service kit opens connections without a network timeout")
                                    .contains("Add socketTimeout (in seconds) and tcpKeepAlive=true to the JDBC URL"),
                            wait -> assertThat(wait)
                                    .contains("pool of service kit lets a thread wait PT30S for a connection")
                                    .contains("Set its connectionTimeout to PT10S or less")
                                    .contains("spring.datasource.hikari.connection-timeout"));
        }
    }

    @Test
    void namesADriverWithoutNetworkTimeouts() {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(url);
        plain.setUser(PostgresqlServer.USER);

        assertThat(warnings(withoutNetworkTimeout(plain)))
                .singleElement()
                .satisfies(warning -> assertThat(warning)
                        .contains("connections of service kit do not support a network timeout")
                        .contains("socketTimeout"));
    }

    @Test
    void expectsNoNetworkTimeoutOfH2() {
        try (HikariDataSource pool = pool("jdbc:h2:file:" + folder.resolve("log"))) {
            pool.setUsername("sa");
            pool.setConnectionTimeout(5_000);

            assertThat(warnings(pool)).isEmpty();
        }
    }

    private static List<String> warnings(DataSource dataSource) {
        ConnectionTraits traits = ConnectionTraits.of(dataSource, Duration.ofSeconds(10));
        return new EngineConnections(dataSource, traits, Timeouts.DEFAULT).findUnboundedWaits("kit");
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(PostgresqlServer.USER);
        pool.setMaximumPoolSize(2);
        return pool;
    }

    private static DataSource withoutNetworkTimeout(DataSource dataSource) {
        return proxy(
                DataSource.class,
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? withoutNetworkTimeout(dataSource.getConnection())
                        : method.invoke(dataSource, arguments));
    }

    private static Connection withoutNetworkTimeout(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().endsWith("NetworkTimeout")) {
                throw new SQLFeatureNotSupportedException(method.getName());
            }
            return method.invoke(connection, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(PoolCheckTests.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}

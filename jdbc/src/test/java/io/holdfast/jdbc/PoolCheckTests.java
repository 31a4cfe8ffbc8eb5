package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.RetryableException;
import io.holdfast.testsupport.BlackHoleProxy;
import io.holdfast.testsupport.PostgresqlServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** When a store opens, it checks the application's pool and names the settings with which its threads could wait too long. */
class PoolCheckTests {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String url = PostgresqlServer.shared().newDatabase();

    @TempDir
    Path folder;

    @Test
    void thePoolOfTheStoreHasTimeoutsAndKeepAlive() {
        Connections own = Connections.pool("kit", PoolSettings.of(url, PostgresqlServer.USER, ""), Timeouts.DEFAULT);
        try {
            assertThat(warnings(own.dataSource())).isEmpty();
            assertThat(((HikariDataSource) own.dataSource()).getDataSourceProperties())
                    .containsEntry("tcpKeepAlive", "true")
                    .containsEntry("socketTimeout", "10");
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

    @Test
    void acceptsALoginTimeoutWhichDoesNotLimitTheStatementsOfTheApplication() {
        try (HikariDataSource pool = pool(url + "&loginTimeout=10")) {
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
                                    .contains("pool of service kit opens connections without a timeout")
                                    .contains("Add loginTimeout (in seconds) and tcpKeepAlive=true to the JDBC URL"),
                            wait -> assertThat(wait)
                                    .contains("pool of service kit lets a thread wait PT30S for a connection")
                                    .contains("Set its connectionTimeout to PT10S or less")
                                    .contains("spring.datasource.hikari.connection-timeout"));
        }
    }

    /** Without the login timeout, the pool would open no other connection, also after the network works again. */
    @Test
    void recoversAfterTheNetworkDroppedAConnectionWhileItWasOpened() {
        try (BlackHoleProxy proxy = BlackHoleProxy.to(url);
                HikariDataSource pool = pool(proxy.through(url) + "&loginTimeout=2")) {
            pool.setConnectionTimeout(1_000);
            try (JdbcStore store = JdbcStore.in("kit", pool)
                    .timeouts(Timeouts.DEFAULT.network(Duration.ofMillis(2_500)))
                    .open()) {
                proxy.swallowEverything();
                assertThatExceptionOfType(RetryableException.class)
                        .isThrownBy(() -> store.eventLog().position());
                await().atMost(BOUND).until(() -> isOpening(pool));
                proxy.forwardNewConnections();

                await().atMost(BOUND)
                        .ignoreExceptionsMatching(RetryableException.class::isInstance)
                        .until(() -> store.eventLog().position() == 0);
            }
        }
    }

    /** @return whether a thread of the pool waits for the response to a login */
    private static boolean isOpening(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getTotalConnections() == 0
                && Thread.getAllStackTraces().values().stream()
                        .flatMap(Stream::of)
                        .anyMatch(frame -> frame.getMethodName().equals("doAuthentication"));
    }

    @Test
    void namesADriverWithoutNetworkTimeouts() {
        assertThat(warnings(withoutNetworkTimeout(plain()))).singleElement().satisfies(warning -> assertThat(warning)
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

    private PGSimpleDataSource plain() {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(url);
        plain.setUser(PostgresqlServer.USER);
        return plain;
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
        return type.cast(Proxy.newProxyInstance(PoolCheckTests.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}

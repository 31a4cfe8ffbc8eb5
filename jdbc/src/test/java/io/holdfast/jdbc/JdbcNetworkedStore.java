package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.NetworkedStore;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.testsupport.BlackHoleProxy;
import io.holdfast.testsupport.PostgresqlServer;
import java.time.Clock;
import java.time.Duration;

/** A store whose pool connects to PostgreSQL through a proxy. The pool has several open connections. */
final class JdbcNetworkedStore implements NetworkedStore {

    private static final Timeouts SHORT =
            new Timeouts(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofMillis(1_500));
    private static final int CONNECTIONS = 4;

    private final BlackHoleProxy proxy;
    private final HikariDataSource pool = new HikariDataSource();
    private final JdbcStore store;

    JdbcNetworkedStore(String url, Clock clock, CrashPoints crashPoints) {
        this.proxy = BlackHoleProxy.to(url);
        pool.setJdbcUrl(proxy.through(url) + "&loginTimeout=2"); // a login may be cut, too
        pool.setUsername(PostgresqlServer.USER);
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setConnectionTimeout(SHORT.network().toMillis() * 2);
        pool.setValidationTimeout(SHORT.network().toMillis());
        this.store = JdbcStore.in(StoreHarness.SERVICE, pool)
                .clock(clock)
                .points(crashPoints)
                .timeouts(SHORT)
                .open();
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void swallowOpenConnections() {
        proxy.swallowOpenConnections();
    }

    @Override
    public void close() {
        proxy.close(); // first, because the pool would wait for dead connections
        store.close();
        pool.close();
    }
}

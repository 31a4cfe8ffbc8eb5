package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.tck.harness.EngineUnderTest;
import java.time.Clock;

/** One replica of a service on a database: its pool, its store and its committer. */
final class Bank implements AutoCloseable {

    static final String SERVICE = "bank";

    private final HikariDataSource dataSource;
    private final JdbcStore store;
    private final EngineUnderTest engine;

    private Bank(String url, CommitPoint.Observer points) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(url.startsWith("jdbc:h2:") ? "sa" : "postgres");
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        this.dataSource = new HikariDataSource(config);
        this.store = JdbcStore.in(SERVICE, dataSource).points(points).open();
        this.engine = new EngineUnderTest(SERVICE, store, Clock.systemUTC()).start();
    }

    static Bank open(String url) {
        return open(url, CommitPoint.Observer.NONE);
    }

    static Bank open(String url, CommitPoint.Observer points) {
        return new Bank(url, points);
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    JdbcStore store() {
        return store;
    }

    EngineUnderTest engine() {
        return engine;
    }

    EventSourcingController controller() {
        return engine.controller();
    }

    @Override
    public void close() {
        engine.close();
        store.close();
        dataSource.close();
    }
}

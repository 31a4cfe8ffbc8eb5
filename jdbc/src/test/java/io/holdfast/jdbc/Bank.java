package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.aggregate.AggregateStates;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.EventSourcingController;
import java.time.Clock;

/** One replica of a service on a database: its pool, its store and its committer. */
final class Bank implements AutoCloseable {

    static final String SERVICE = "bank";

    private final HikariDataSource dataSource;
    private final JdbcStore store;
    private final GroupCommitter committer;
    private final EventSourcingController controller;

    private Bank(String url, CommitPoint.Observer points) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(url.startsWith("jdbc:h2:") ? "sa" : "postgres");
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        this.dataSource = new HikariDataSource(config);
        this.store = JdbcStore.in(SERVICE, dataSource).points(points).open();
        PayloadCodec codec = new PayloadCodec();
        AggregateStates states = new AggregateStates(store.eventLog(), codec);
        this.committer = new GroupCommitter(
                        CommitterSettings.of(SERVICE),
                        store.commitStore(),
                        store.eventLog(),
                        states,
                        store.viewStore(),
                        codec,
                        Clock.systemUTC())
                .start();
        this.controller = new EventSourcingController(SERVICE, committer, states, store.eventLog());
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

    GroupCommitter committer() {
        return committer;
    }

    EventSourcingController controller() {
        return controller;
    }

    @Override
    public void close() {
        committer.close();
        store.close();
        dataSource.close();
    }
}

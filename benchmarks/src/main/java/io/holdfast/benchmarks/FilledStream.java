package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.event.EventMessage;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A separate database whose log already contains a published stream. */
final class FilledStream {

    private static final int PAGE_SIZE = 500;
    private static final int CONNECTIONS = 16;

    private final PostgresqlServer server;
    private final String database;
    private final int events;

    private FilledStream(PostgresqlServer server, String database, int events) {
        this.server = server;
        this.database = database;
        this.events = events;
    }

    static FilledStream create(PostgresqlServer server, String database, int events, int keys) {
        return create(server, database, events, keys, Purchases.json("@", 1));
    }

    /** @param json the payload of all events; {@code @} is the placeholder for the key */
    static FilledStream create(PostgresqlServer server, String database, int events, int keys, String json) {
        try (HikariDataSource pool = server.create(database, 4);
                JdbcStore store = JdbcStore.in(Purchases.SERVICE, pool).open()) {
            new FilledLog(pool, true, json).fill(events, keys, 0);
            publish(store);
        }
        server.settle();
        return new FilledStream(server, database, events);
    }

    /** Publishes the stream in advance, because publishing is not part of the measurement. */
    private static void publish(JdbcStore store) {
        try (HoldfastService publishing = HoldfastService.named(Purchases.SERVICE, store, new InMemoryWire())
                .owns(Purchases.STREAM)
                .start()) {
            while (publishing.publisher().pending() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    int events() {
        return events;
    }

    HikariDataSource connect() {
        return server.connect(database, CONNECTIONS);
    }

    /** Returns the rows written by table. All connections must be closed. */
    Map<String, Long> rowsWritten() {
        return server.rowsWritten(database);
    }

    static List<EventMessage> readAll(JdbcStore store) {
        List<EventMessage> all = new ArrayList<>();
        List<EventMessage> page = store.eventLog().readStream(Purchases.STREAM, 0, PAGE_SIZE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = store.eventLog()
                    .readStream(Purchases.STREAM, page.get(page.size() - 1).position(), PAGE_SIZE);
        }
        return all;
    }
}

package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The same handler, written by hand: one transaction per event with a deduplication record, the effect and the
 * position. The events are partitioned by key among the threads, each with its own position. In its favor, reading them
 * is not measured.
 */
final class HandWrittenProcessor {

    private static final List<String> TABLES = List.of(
            "create table processed (consumer varchar(255), event_id uuid, primary key (consumer, event_id))",
            "create table reached (consumer varchar(255) primary key, log_position bigint not null)",
            "create table effect (log_position bigint generated always as identity primary key, event_id uuid not null,"
                    + " stream varchar(255) collate \"C\" not null, aggregate_key varchar(255) collate \"C\" not null,"
                    + " key_version bigint not null, occurred_at timestamp(6) with time zone not null,"
                    + " event_type varchar(255) not null, revision integer not null, metadata text not null,"
                    + " payload text not null, unique (event_id), unique (stream, aggregate_key, key_version))");

    private static final PayloadCodec CODEC = new PayloadCodec();

    private HandWrittenProcessor() {}

    /** @return the duration in seconds */
    static double handle(HikariDataSource pool, int threads) {
        try (JdbcStore store = JdbcStore.in(Purchases.SERVICE, pool).open()) {
            List<List<EventMessage>> partitions = partition(FilledStream.readAll(store), threads);
            createTables(pool, threads);
            return run(pool, partitions);
        }
    }

    private static List<List<EventMessage>> partition(List<EventMessage> events, int threads) {
        List<List<EventMessage>> partitions = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            partitions.add(new ArrayList<>());
        }
        events.forEach(event ->
                partitions.get(Math.floorMod(event.key().hashCode(), threads)).add(event));
        return partitions;
    }

    private static void createTables(HikariDataSource pool, int threads) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
            for (int i = 0; i < threads; i++) {
                statement.execute("insert into reached values ('" + consumer(i) + "', 0)");
            }
        } catch (SQLException e) {
            throw Failures.of("creating tables", e);
        }
    }

    private static String consumer(int share) {
        return "processor-" + share;
    }

    private static double run(HikariDataSource pool, List<List<EventMessage>> partitions) {
        ExecutorService threads = Executors.newFixedThreadPool(partitions.size());
        CountDownLatch ready = new CountDownLatch(partitions.size());
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < partitions.size(); i++) {
                String consumer = consumer(i);
                List<EventMessage> share = partitions.get(i);
                running.add(threads.submit(() -> {
                    try (Connection connection = pool.getConnection()) {
                        ready.countDown();
                        start.await();
                        handle(connection, consumer, share);
                    }
                    return null;
                }));
            }
            ready.await();
            long before = System.nanoTime();
            start.countDown();
            for (Future<?> one : running) {
                one.get();
            }
            return (System.nanoTime() - before) / 1e9;
        } catch (ExecutionException | InterruptedException e) {
            throw Failures.of("handling events one by one", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void handle(Connection connection, String consumer, List<EventMessage> events) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement processed = connection.prepareStatement(
                        "insert into processed (consumer, event_id) values (?, ?) on conflict do nothing");
                PreparedStatement version = connection.prepareStatement(
                        "select coalesce(max(key_version), 0) from effect where stream = ? and aggregate_key = ?");
                PreparedStatement effect = connection.prepareStatement(
                        "insert into effect (event_id, stream, aggregate_key, key_version, occurred_at, event_type,"
                                + " revision, metadata, payload) values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
                PreparedStatement reached =
                        connection.prepareStatement("update reached set log_position = ? where consumer = ?")) {
            for (EventMessage event : events) {
                processed.setString(1, consumer);
                processed.setObject(2, event.id());
                if (processed.executeUpdate() == 1) {
                    append(effect, event, loadVersion(version, event.key()) + 1);
                }
                reached.setLong(1, event.position());
                reached.setString(2, consumer);
                reached.executeUpdate();
                connection.commit();
            }
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static long loadVersion(PreparedStatement version, String key) throws SQLException {
        version.setString(1, ProcessedStream.EFFECTS);
        version.setString(2, key);
        try (ResultSet row = version.executeQuery()) {
            if (!row.next()) {
                throw new PermanentException("no version found for key " + key);
            }
            return row.getLong(1);
        }
    }

    private static void append(PreparedStatement effect, EventMessage event, long keyVersion) throws SQLException {
        Purchases.Purchased handled = CODEC.decode(event.payload(), Purchases.Purchased.class);
        Payload payload = CODEC.encode(Purchases.purchase(handled.account(), keyVersion));
        effect.setObject(1, EventIds.derive(event.id(), "hand-written", 0));
        effect.setString(2, ProcessedStream.EFFECTS);
        effect.setString(3, event.key());
        effect.setLong(4, keyVersion);
        effect.setObject(5, OffsetDateTime.now(ZoneOffset.UTC));
        effect.setString(6, payload.type());
        effect.setInt(7, payload.revision());
        effect.setString(8, "{\"causationId\":\"" + event.id() + "\",\"correlationId\":\"" + event.id() + "\"}");
        effect.setString(9, payload.json());
        effect.executeUpdate();
    }
}

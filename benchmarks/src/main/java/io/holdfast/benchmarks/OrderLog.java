package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.saga.SagaView;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Reads the order service's H2 file, which this process has opened. Costs the shop less than requests would. */
final class OrderLog implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(5);
    private static final long POLL_NANOS = 10_000_000;

    private final Connection connection;
    private long position;
    private int confirmed;

    /** @param data the directory of the shop's databases */
    OrderLog(Path data) {
        try {
            this.connection =
                    DriverManager.getConnection("jdbc:h2:file:" + data.resolve("order") + ";IFEXISTS=TRUE", "sa", "");
        } catch (SQLException e) {
            throw Failures.of("opening the database of the order service", e);
        }
    }

    /** Waits until this number of orders is confirmed, all of them since the shop started. */
    void awaitConfirmed(int orders) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        readOn();
        while (confirmed < orders) {
            if (System.nanoTime() > deadline) {
                throw new PermanentException("only %d of %d orders are confirmed after %d s"
                        .formatted(confirmed, orders, BOUND.toSeconds()));
            }
            LockSupport.parkNanos(POLL_NANOS);
            readOn();
        }
    }

    private void readOn() {
        try (PreparedStatement query = connection.prepareStatement(
                "select log_position, event_type from holdfast_event where log_position > ? order by log_position")) {
            query.setLong(1, position);
            try (ResultSet events = query.executeQuery()) {
                while (events.next()) {
                    position = events.getLong(1);
                    count(events.getString(2));
                }
            }
        } catch (SQLException e) {
            throw Failures.of("reading the log of the order service", e);
        }
    }

    private void count(String eventType) {
        if (eventType.equals("OrderCancelled")) {
            throw new PermanentException("an order was cancelled, so its run measures something else;"
                    + " with fewer --orders, none reaches its deadline");
        }
        confirmed += eventType.equals("OrderConfirmed") ? 1 : 0;
    }

    /** @return how many sagas are COMPLETED, or -1 if there are others */
    int completedSagas() {
        try (PreparedStatement query = connection.prepareStatement(
                "select count(*), count(case when tag like '%/COMPLETED' then 1 end) from holdfast_row where view_name = ?")) {
            query.setString(1, SagaView.NAME);
            try (ResultSet counts = query.executeQuery()) {
                counts.next();
                return counts.getInt(1) == counts.getInt(2) ? counts.getInt(1) : -1;
            }
        } catch (SQLException e) {
            throw Failures.of("counting sagas", e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw Failures.of("closing the database of the order service", e);
        }
    }
}

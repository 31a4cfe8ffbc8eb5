package io.holdfast.jdbc;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.Epoch;
import io.holdfast.wire.ConsumerGroup;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * Removes the oldest entries of an outbox stream. Runs under the head lock, so that no consumer group registers
 * meanwhile, and in small batches, so that no commit waits long.
 */
final class OutboxEviction {

    static final int BATCH_SIZE = 1_000;

    private final Database database;
    private final CommitPoint.Observer points;

    OutboxEviction(Database database, CommitPoint.Observer points) {
        this.database = database;
        this.points = points;
    }

    int evict(String stream, long upTo, Instant positionedBefore) {
        int all = 0;
        int some;
        do {
            some = evictBatch(stream, upTo, positionedBefore);
            all += some;
        } while (some == BATCH_SIZE);
        return all;
    }

    private int evictBatch(String stream, long upTo, Instant positionedBefore) {
        return database.write("evicting entries of stream " + stream, connection -> {
            if (!JdbcOutboxStore.isOutboxStream(connection, stream)) {
                throw new PermanentException(
                        "stream " + stream + " is not an outbox stream; event-sourced streams are kept forever");
            }
            database.lockHead(connection);
            long end = lastExpired(
                    connection, stream, Math.min(upTo, lowestReachedPosition(connection, stream)), positionedBefore);
            return points.pass(CommitPoint.OUTBOX_EVICT, () -> {
                int evicted = delete(connection, stream, end);
                connection.commit();
                return evicted;
            });
        });
    }

    private static long lowestReachedPosition(Connection connection, String stream) throws SQLException {
        List<Epoch> epochs = LogEpochs.read(connection).epochs();
        return JdbcConsumerGroups.findByStream(connection, stream).stream()
                .mapToLong((ConsumerGroup group) -> group.consumedPosition(epochs))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Stops at the first entry that is too young. Replicas' clocks differ, so an older entry may follow it. Removing
     * that one would leave a gap that no reader can cross.
     *
     * @return the position of the last entry to remove, or 0
     */
    private static long lastExpired(Connection connection, String stream, long upTo, Instant positionedBefore)
            throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select log_position, positioned_at from holdfast_event"
                        + " where stream = ? and log_position <= ? order by stream, log_position limit ?")) {
            query.setString(1, stream);
            query.setLong(2, upTo);
            query.setInt(3, BATCH_SIZE);
            long last = 0;
            try (ResultSet row = query.executeQuery()) {
                while (row.next() && isBefore(row.getObject("positioned_at", OffsetDateTime.class), positionedBefore)) {
                    last = row.getLong("log_position");
                }
            }
            return last;
        }
    }

    private static boolean isBefore(OffsetDateTime positionedAt, Instant time) {
        return positionedAt.toInstant().isBefore(time);
    }

    private static int delete(Connection connection, String stream, long upTo) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("delete from holdfast_event where stream = ? and log_position <= ?")) {
            delete.setString(1, stream);
            delete.setLong(2, upTo);
            return delete.executeUpdate();
        }
    }
}

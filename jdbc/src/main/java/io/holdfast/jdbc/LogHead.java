package io.holdfast.jdbc;

import io.holdfast.event.LogIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The head row, which serializes commits. It stays locked until the transaction ends.
 *
 * @param position the position of the newest event
 * @param commits increased by every commit
 * @param epoch the newest epoch, which may be later than the one that this process read when it opened the log
 */
record LogHead(long position, long commits, int epoch) {

    static final String ADVANCE = "update holdfast_log set head_position = ?, commits = ? where singleton";

    /** @return the log in its newest epoch, which cannot change while the head is locked */
    LogIdentity identity(UUID log) {
        return new LogIdentity(log, epoch);
    }

    /** Advances the head past new events. */
    void advance(Connection connection, int events) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(ADVANCE)) {
            setAdvance(update, 1, events);
            update.executeUpdate();
        }
    }

    void setAdvance(PreparedStatement update, int first, int events) throws SQLException {
        update.setLong(first, position + events);
        update.setLong(first + 1, commits + 1);
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // Its locks end with the connection.
        }
    }
}

package io.holdfast.jdbc;

import io.holdfast.event.LogIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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

    static LogHead lock(Connection connection) throws SQLException {
        return lock(connection, "");
    }

    /** @param before statements to execute first, each terminated by a semicolon, none of them a query */
    static LogHead lock(Connection connection, String before) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                before + "select head_position, commits, epoch from holdfast_log where singleton for update")) {
            boolean isQuery = query.execute();
            while (!isQuery && query.getUpdateCount() >= 0) {
                isQuery = query.getMoreResults();
            }
            try (ResultSet row = query.getResultSet()) {
                if (!row.next()) {
                    throw new SQLException("holdfast_log has no row; the schema is damaged");
                }
                return new LogHead(row.getLong("head_position"), row.getLong("commits"), row.getInt("epoch"));
            }
        }
    }

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

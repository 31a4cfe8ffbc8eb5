package io.holdfast.jdbc;

import io.holdfast.event.LogIdentity;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The head row, which serializes commits. It stays locked until the transaction ends.
 *
 * @param position the position of the newest event
 * @param commits increased by every commit
 * @param epoch the newest epoch, which may be later than the one that this process read when it opened the log
 * @param idAtPosition the id of the event at the position that was witnessed, or null if it has none
 * @param foldedFound how many of the events on which states were built exist
 */
record LogHead(long position, long commits, int epoch, @Nullable UUID idAtPosition, int foldedFound) {

    /** Returns the query of the head. Its parameters are set by {@link #setWitnessed}. */
    static String select(Dialect dialect, Witnessed witnessed) {
        String found = witnessed.folded().isEmpty()
                ? "0"
                : "(select count(*) from holdfast_event where event_id in (select u.id from unnest("
                        + dialect.array("uuid") + ") as u(id)))";
        return "select head_position, commits, epoch,"
                + " (select event_id from holdfast_event where log_position = ?) as id_at_position, " + found
                + " as folded_found from holdfast_log where singleton";
    }

    static void setWitnessed(PreparedStatement query, Witnessed witnessed) throws SQLException {
        query.setLong(1, witnessed.position());
        if (!witnessed.folded().isEmpty()) {
            query.setArray(
                    2,
                    query.getConnection()
                            .createArrayOf("uuid", witnessed.foldedIds().toArray()));
        }
    }

    static final String ADVANCE = "update holdfast_log set head_position = ?, commits = ? where singleton";

    /** @return the log in its newest epoch, which cannot change while the head is locked */
    LogIdentity identity(UUID log) {
        return new LogIdentity(log, epoch);
    }

    static LogHead of(ResultSet row) throws SQLException {
        if (!row.next()) {
            throw new SQLException("holdfast_log has no row; the schema is damaged");
        }
        return new LogHead(
                row.getLong("head_position"),
                row.getLong("commits"),
                row.getInt("epoch"),
                EventColumns.uuid(row, "id_at_position"),
                row.getInt("folded_found"));
    }

    HeadReading reading() {
        return new HeadReading(position, commits, idAtPosition, foldedFound);
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
}

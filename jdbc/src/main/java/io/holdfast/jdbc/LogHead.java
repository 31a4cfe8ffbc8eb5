package io.holdfast.jdbc;

import io.holdfast.event.LogIdentity;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
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
 * @param id the id of the newest event, or null
 * @param commits increased by every commit
 * @param epoch the newest epoch, which may be later than the one that this process read when it opened the log
 * @param idAtPosition the id of the event at the position that was witnessed, or null if it has none
 * @param unverifiedLost how many of the unverified events are above the head or have another event at their position
 */
record LogHead(
        long position, @Nullable UUID id, long commits, int epoch, @Nullable UUID idAtPosition, int unverifiedLost) {

    /** Returns the query of the head. Its parameters are set by {@link #setWitnessed}. */
    static String select(Dialect dialect, Witnessed witnessed) {
        String lost = witnessed.unverified().isEmpty()
                ? "0"
                : "(select count(*) from unnest(" + dialect.array("uuid") + ", " + dialect.array("bigint")
                        + ") as u(id, p) left join holdfast_event e on e.log_position = u.p"
                        + " where u.p > head_position or e.event_id <> u.id)";
        return "select head_position, commits, epoch,"
                + " (select event_id from holdfast_event where log_position = head_position) as head_id,"
                + " (select event_id from holdfast_event where log_position = ?) as id_at_position, " + lost
                + " as unverified_lost from holdfast_log where singleton";
    }

    static void setWitnessed(PreparedStatement query, Witnessed witnessed) throws SQLException {
        query.setLong(1, witnessed.position());
        if (!witnessed.unverified().isEmpty()) {
            Connection connection = query.getConnection();
            query.setArray(
                    2,
                    connection.createArrayOf(
                            "uuid",
                            witnessed.unverified().stream().map(SeenEvent::id).toArray()));
            query.setArray(
                    3,
                    connection.createArrayOf(
                            "bigint",
                            witnessed.unverified().stream()
                                    .map(SeenEvent::position)
                                    .toArray()));
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
                EventColumns.uuid(row, "head_id"),
                row.getLong("commits"),
                row.getInt("epoch"),
                EventColumns.uuid(row, "id_at_position"),
                row.getInt("unverified_lost"));
    }

    HeadReading reading() {
        return new HeadReading(position, id, epoch, commits, idAtPosition, unverifiedLost);
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

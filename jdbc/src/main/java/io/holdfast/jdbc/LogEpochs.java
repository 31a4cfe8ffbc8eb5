package io.holdfast.jdbc;

import io.holdfast.event.Epoch;
import io.holdfast.event.LogIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The identity of the log, and its epochs.
 *
 * @param epochs oldest first; the last one is that of the identity
 */
record LogEpochs(LogIdentity identity, List<Epoch> epochs) {

    static LogEpochs read(Connection connection) throws SQLException {
        try (PreparedStatement query =
                        connection.prepareStatement("select l.log_id, e.epoch, e.start_position from holdfast_log l"
                                + " join holdfast_epoch e on e.epoch <= l.epoch order by e.epoch");
                ResultSet row = query.executeQuery()) {
            List<Epoch> epochs = new ArrayList<>();
            UUID log = null;
            while (row.next()) {
                log = row.getObject("log_id", UUID.class);
                epochs.add(new Epoch(row.getInt("epoch"), row.getLong("start_position")));
            }
            if (log == null) {
                throw new SQLException("holdfast_log or holdfast_epoch has no row; the schema is damaged");
            }
            Epoch newest = epochs.get(epochs.size() - 1);
            return new LogEpochs(new LogIdentity(log, newest.number()), List.copyOf(epochs));
        }
    }

    Epoch newest() {
        return epochs.get(epochs.size() - 1);
    }

    /** Starts a new epoch. Requires the head lock. */
    static void start(Connection connection, Epoch epoch) throws SQLException {
        try (PreparedStatement update =
                        connection.prepareStatement("update holdfast_log set epoch = ? where singleton");
                PreparedStatement insert = connection.prepareStatement(
                        "insert into holdfast_epoch (epoch, start_position) values (?, ?)")) {
            update.setInt(1, epoch.number());
            update.executeUpdate();
            insert.setInt(1, epoch.number());
            insert.setLong(2, epoch.startPosition());
            insert.executeUpdate();
        }
    }
}

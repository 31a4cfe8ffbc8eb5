package io.holdfast.jdbc;

import io.holdfast.token.ProcessorDefinition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renews and releases the leases of the replicas that work for a consumer. */
final class ReplicaLeases {

    private static final String REPLICA = " where consumer = ? and replica = ?";

    private final Database database;

    ReplicaLeases(Database database) {
        this.database = database;
    }

    Map<String, ProcessorDefinition> renew(
            String consumer, String replica, Duration lease, ProcessorDefinition handled) {
        Map<String, ProcessorDefinition> live = new HashMap<>();
        List<String> expired = new ArrayList<>();
        database.write("renewing replica " + replica + " of " + consumer, connection -> {
            upsert(connection, consumer, replica, lease, DefinitionJson.write(handled));
            try (PreparedStatement query = connection.prepareStatement(
                    "select replica, " + database.dialect().leaseExpired("lease_end")
                            + " as expired, definition from holdfast_replica where consumer = ?")) {
                query.setString(1, consumer);
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        if (row.getBoolean("expired")) {
                            expired.add(row.getString("replica"));
                        } else {
                            live.put(row.getString("replica"), DefinitionJson.read(0, row.getString("definition")));
                        }
                    }
                }
            }
            return live;
        });
        // Each in a transaction of its own, so that two replicas that clean up do not wait for each other.
        expired.forEach(
                other -> delete(consumer, other, " and " + database.dialect().leaseExpired("lease_end")));
        return live;
    }

    void release(String consumer, String replica) {
        delete(consumer, replica, "");
    }

    private void upsert(Connection connection, String consumer, String replica, Duration lease, String handled)
            throws SQLException {
        String leaseEnd = database.dialect().fromNow("?");
        try (PreparedStatement update = connection.prepareStatement("update holdfast_replica set lease_end = "
                + leaseEnd + ", lease_micros = ?, definition = ?" + REPLICA)) {
            update.setLong(1, Database.microseconds(lease));
            update.setLong(2, Database.microseconds(lease));
            update.setString(3, handled);
            set(update, 4, consumer, replica);
            if (update.executeUpdate() == 1) {
                return;
            }
        }
        String insert = database.dialect()
                .insertIfAbsent(
                        "holdfast_replica",
                        "consumer, replica, lease_end, lease_micros, definition",
                        "consumer, replica",
                        "cast(? as varchar), cast(? as varchar), " + leaseEnd
                                + ", cast(? as bigint), cast(? as "
                                + database.dialect().text() + ")");
        database.insertIfAbsent(connection, insert, statement -> {
            set(statement, 1, consumer, replica);
            statement.setLong(3, Database.microseconds(lease));
            statement.setLong(4, Database.microseconds(lease));
            statement.setString(5, handled);
        });
    }

    private void delete(String consumer, String replica, String condition) {
        database.write("removing replica " + replica + " of " + consumer, connection -> {
            try (PreparedStatement delete =
                    connection.prepareStatement("delete from holdfast_replica" + REPLICA + condition)) {
                set(delete, 1, consumer, replica);
                return delete.executeUpdate();
            }
        });
    }

    private static void set(PreparedStatement statement, int first, String consumer, String replica)
            throws SQLException {
        statement.setString(first, consumer);
        statement.setString(first + 1, replica);
    }
}

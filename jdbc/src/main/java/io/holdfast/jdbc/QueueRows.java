package io.holdfast.jdbc;

import static io.holdfast.jdbc.ColumnType.INT8;
import static io.holdfast.jdbc.ColumnType.VARCHAR;

import io.holdfast.deadletter.QueueCounts;
import io.holdfast.jdbc.BulkTable.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Maps the counts of queues to rows. A queue that never had a letter has no row. */
final class QueueRows {

    private static final BulkTable<Map.Entry<String, QueueCounts>> QUEUES = new BulkTable<>(
            "holdfast_queue",
            List.of(new Column<>("component", VARCHAR, Map.Entry::getKey)),
            List.of(
                    new Column<>("letters", INT8, queue -> queue.getValue().letters()),
                    new Column<>("retrying", INT8, queue -> queue.getValue().retrying()),
                    new Column<>("held", INT8, queue -> queue.getValue().held()),
                    new Column<>("pending", INT8, queue -> queue.getValue().pending()),
                    new Column<>(
                            "pending_letters", INT8, queue -> queue.getValue().pendingLetters()),
                    new Column<>("awaiting", INT8, queue -> queue.getValue().awaiting()),
                    new Column<>(
                            "awaiting_pending", INT8, queue -> queue.getValue().awaitingPending())));

    private QueueRows() {}

    /** Finds the counts of these components; a component without a row is missing from the result. */
    static Map<String, QueueCounts> find(Connection connection, Dialect dialect, Collection<String> components)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "select q.component, q.letters, q.retrying, q.held, q.pending, q.pending_letters, q.awaiting, q.awaiting_pending"
                        + " from unnest("
                        + dialect.array("varchar") + ") as k(c) join holdfast_queue q on q.component = k.c")) {
            query.setArray(1, connection.createArrayOf("varchar", components.toArray(String[]::new)));
            Map<String, QueueCounts> found = new HashMap<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    QueueCounts counts = new QueueCounts(
                            row.getLong("letters"),
                            row.getLong("retrying"),
                            row.getLong("held"),
                            row.getLong("pending"),
                            row.getLong("pending_letters"),
                            row.getLong("awaiting"),
                            row.getLong("awaiting_pending"));
                    found.put(row.getString("component"), counts);
                }
            }
            return found;
        }
    }

    /** Requires the head lock, so that no other transaction counts concurrently. */
    static void write(Connection connection, Dialect dialect, Map<String, QueueCounts> counts) throws SQLException {
        QUEUES.upsert(connection, dialect, counts.entrySet());
    }
}

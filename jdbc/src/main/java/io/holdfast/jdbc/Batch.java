package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** Executes one statement for many rows as a JDBC batch. */
final class Batch {

    private Batch() {}

    /** Sends nothing if there are no rows. */
    static <T> void run(Connection connection, String sql, Collection<T> values, Row<T> row) throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (T value : values) {
                row.set(statement, value);
                statement.addBatch();
            }
            SqlErrors.executeBatch(statement);
        }
    }

    /** Sets the parameters of one row. */
    @FunctionalInterface
    interface Row<T> {
        void set(PreparedStatement statement, T value) throws SQLException;
    }
}

package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The lock timeout of an H2 connection. It is read before it is set: every {@code SET} makes H2 discard the prepared
 * statements of all connections to the database, while reading it costs less than a microsecond.
 */
final class H2LockTimeout {

    private H2LockTimeout() {}

    static int read(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select lock_timeout()");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    static void set(Connection connection, int milliseconds) throws SQLException {
        if (read(connection) != milliseconds) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set lock_timeout " + milliseconds);
            }
        }
    }
}

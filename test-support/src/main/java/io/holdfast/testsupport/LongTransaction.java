package io.holdfast.testsupport;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A transaction of another application that stays open: idle, with the snapshot of its first statement and the locks of
 * the others. Not thread-safe.
 */
public final class LongTransaction implements AutoCloseable {

    private final Connection connection;

    private LongTransaction(Connection connection) {
        this.connection = connection;
    }

    /** @param statements what the transaction executes before it becomes idle */
    public static LongTransaction begin(DataSource dataSource, String... statements) {
        try {
            Connection connection = dataSource.getConnection();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            }
            return new LongTransaction(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rolls back and returns the connection to its pool. Idempotent. */
    @Override
    public void close() {
        try (connection) {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

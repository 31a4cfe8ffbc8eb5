package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.jdbc.ConnectionWrapperFactory;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.jspecify.annotations.Nullable;

/**
 * Thread-bound transactions, as Spring manages them for Axon. A nested transaction joins the outer one, and only the
 * outer one commits. Outside a transaction, each statement commits on its own.
 */
final class AxonTransactions implements TransactionManager, ConnectionProvider {

    private static final ConnectionWrapperFactory.ConnectionCloseHandler KEEP_OPEN =
            new ConnectionWrapperFactory.NoOpCloseHandler();

    /** Shared by all DataSources, because no thread has transactions of two DataSources at the same time. */
    private static final ThreadLocal<@Nullable Connection> CURRENT = new ThreadLocal<>();

    private final DataSource dataSource;

    AxonTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = CURRENT.get();
        return connection == null ? dataSource.getConnection() : ConnectionWrapperFactory.wrap(connection, KEEP_OPEN);
    }

    @Override
    public Transaction startTransaction() {
        if (CURRENT.get() != null) {
            return new JoinedTransaction();
        }
        try {
            Connection connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            return new OuterTransaction(connection);
        } catch (SQLException e) {
            throw Failures.of("starting a transaction", e);
        }
    }

    /** Commits or rolls back the connection's transaction. */
    private static final class OuterTransaction implements Transaction {

        private final Connection connection;

        OuterTransaction(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void commit() {
            complete(true);
        }

        @Override
        public void rollback() {
            complete(false);
        }

        private void complete(boolean commits) {
            CURRENT.remove();
            try (connection) {
                if (commits) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            } catch (SQLException e) {
                throw Failures.of("completing a transaction", e);
            }
        }
    }

    /** Joins the outer transaction. Does not support rollback, which never occurs in the measurements. */
    private static final class JoinedTransaction implements Transaction {

        @Override
        public void commit() {
            // The outer transaction commits.
        }

        @Override
        public void rollback() {
            throw new PermanentException(
                    "a joined Axon transaction was rolled back, which the benchmark does not support");
        }
    }
}

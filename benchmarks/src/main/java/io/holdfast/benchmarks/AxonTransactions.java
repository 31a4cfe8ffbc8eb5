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
 * Transactions of a thread, as Spring makes them for Axon: who asks for one inside another takes part in it, and whoever
 * began it ends it. Without one, a statement is committed by itself.
 */
final class AxonTransactions implements TransactionManager, ConnectionProvider {

    private static final ConnectionWrapperFactory.ConnectionCloseHandler KEEP_OPEN =
            new ConnectionWrapperFactory.NoOpCloseHandler();

    /** Whichever DataSource it is from: no thread here has transactions of two at once. */
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
            throw Failures.of("beginning a transaction", e);
        }
    }

    /** Of whoever began it. */
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
                throw Failures.of("ending a transaction", e);
            }
        }
    }

    /** Of who takes part. Nothing that is measured rolls back, so that there is no need to pass that on. */
    private static final class JoinedTransaction implements Transaction {

        @Override
        public void commit() {
            // Whoever began it commits.
        }

        @Override
        public void rollback() {
            throw new PermanentException("a part of Axon's transaction was rolled back, which should not happen here");
        }
    }
}

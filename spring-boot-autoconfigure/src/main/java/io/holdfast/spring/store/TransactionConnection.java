package io.holdfast.spring.store;

import io.holdfast.RetryableException;
import io.holdfast.jdbc.CurrentConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds the connection of Spring's current transaction on the store's DataSource, so that the outbox joins
 * {@code @Transactional} methods. Works with {@code JdbcTransactionManager} and {@code JpaTransactionManager}.
 */
final class TransactionConnection implements CurrentConnection {

    private final DataSource dataSource;

    TransactionConnection(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Optional<Connection> find() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !(TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder)) {
            return Optional.empty();
        }
        Connection connection = holder.getConnection();
        return isInTransaction(connection) ? Optional.of(connection) : Optional.empty();
    }

    /** The transaction may be on another database, with this connection bound only for reads until it ends. */
    private static boolean isInTransaction(Connection connection) {
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new RetryableException("the connection of the current transaction does not respond", e);
        }
    }
}

package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Begins transactions for units on the engine's connections. When a transaction has ended, its connection goes back to
 * the pool, and on H2 the {@link H2HeadMutex} is released. Thread-safe.
 */
final class EngineTransactions {

    private final Database database;
    private final JoinedTransactions transactions;

    EngineTransactions(Database database, JoinedTransactions transactions) {
        this.database = database;
        this.transactions = transactions;
    }

    boolean isBackedBy(Object resource) {
        return transactions.isBackedBy(resource);
    }

    /**
     * Begins a transaction on the calling thread.
     *
     * @throws io.holdfast.RetryableException if the database is not available
     */
    JoinedTransaction begin() {
        EngineConnection connection = database.begin();
        try {
            return new Ending(transactions.begin(connection.connection()), connection, database);
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** A transaction that returns its connection. */
    private record Ending(JoinedTransaction transaction, EngineConnection engineConnection, Database database)
            implements JoinedTransaction {

        @Override
        public Connection connection() {
            return engineConnection.connection();
        }

        @Override
        public LetterTables letters() {
            return transaction.letters();
        }

        @Override
        public Set<Class<?>> resourceTypes() {
            return transaction.resourceTypes();
        }

        @Override
        public <T> T resource(Class<T> type, Connection guarded) {
            return transaction.resource(type, guarded);
        }

        @Override
        public void flush() {
            try {
                engineConnection.limitWaits(); // a handler may have changed the network timeout for its own statements
            } catch (SQLException e) {
                throw SqlErrors.of("setting the network timeout", e);
            }
            transaction.flush();
        }

        @Override
        public void afterRollbackToSavepoint() {
            transaction.afterRollbackToSavepoint();
        }

        /** Keeps the mutex if the commit fails: the transaction may not have ended. */
        @Override
        public void commit() throws SQLException {
            transaction.commit();
            database.releaseHead(connection());
        }

        @Override
        public void rollback() {
            transaction.rollback();
            database.releaseHead(connection());
        }

        @Override
        public void close() {
            try {
                transaction.close();
            } finally {
                engineConnection.close();
                database.releaseHead(connection());
            }
        }
    }
}

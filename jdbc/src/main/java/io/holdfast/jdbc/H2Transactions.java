package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Transactions on H2. Each releases the {@link H2HeadMutex} once it has ended. */
final class H2Transactions implements JoinedTransactions {

    private final JoinedTransactions transactions;
    private final H2HeadMutex mutex;

    H2Transactions(JoinedTransactions transactions, H2HeadMutex mutex) {
        this.transactions = transactions;
        this.mutex = mutex;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return transactions.isBackedBy(resource);
    }

    @Override
    public JoinedTransaction begin() {
        JoinedTransaction begun = transactions.begin();
        return new Releasing(begun, begun.connection(), mutex);
    }

    /** @param connection identifies the transaction, also after its end */
    private record Releasing(JoinedTransaction transaction, Connection connection, H2HeadMutex mutex)
            implements JoinedTransaction {

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
            mutex.release(connection);
        }

        @Override
        public void rollback() {
            transaction.rollback();
            mutex.release(connection);
        }

        @Override
        public void close() {
            try {
                transaction.close();
            } finally {
                mutex.release(connection);
            }
        }
    }
}

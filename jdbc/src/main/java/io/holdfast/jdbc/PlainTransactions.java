package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** The store's own transactions: nothing but a connection. */
final class PlainTransactions implements JoinedTransactions {

    private final Dialect dialect;

    PlainTransactions(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return false;
    }

    @Override
    public JoinedTransaction begin(Connection connection) {
        return new Plain(connection, dialect);
    }

    /** A connection with an open transaction. */
    private record Plain(Connection connection, Dialect dialect) implements JoinedTransaction {

        @Override
        public LetterTables letters() {
            return new JdbcLetterTables(connection, dialect);
        }

        @Override
        public Set<Class<?>> resourceTypes() {
            return Set.of();
        }

        @Override
        public <T> T resource(Class<T> type, Connection guarded) {
            throw new IllegalArgumentException(type.getName());
        }

        /** Does nothing: JDBC statements are not deferred. */
        @Override
        public void flush() {}

        @Override
        public void afterRollbackToSavepoint() {}

        @Override
        public void commit() throws SQLException {
            connection.commit();
        }

        @Override
        public void rollback() {
            try {
                connection.rollback();
            } catch (SQLException e) {
                // The connection is lost, and its transaction with it.
            }
        }

        @Override
        public void close() {
            rollback();
        }
    }
}

package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** The store's own transactions, on connections of its DataSource. */
final class PlainTransactions implements JoinedTransactions {

    private final Database database;

    PlainTransactions(Database database) {
        this.database = database;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return false;
    }

    @Override
    public JoinedTransaction begin() {
        return new Plain(database.begin(), database.dialect());
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
            LogHead.closeQuietly(connection);
        }
    }
}

package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/**
 * What the connections of a DataSource have in common, determined when the store opens.
 *
 * @param hasNetworkTimeout whether they support a network timeout, which costs no round trip
 * @param hasDriverTimeout whether the driver has one by default: it then also applies while a connection is opened
 * @param isReadCommitted whether transactions are READ COMMITTED by default
 * @param lockTimeout the lock timeout of a connection, in milliseconds (H2); empty if it belongs to the transaction
 */
record ConnectionTraits(
        Dialect dialect,
        boolean hasNetworkTimeout,
        boolean hasDriverTimeout,
        boolean isReadCommitted,
        OptionalInt lockTimeout) {

    private static final Executor SAME_THREAD = Runnable::run;

    /** @param network the time to wait for the database */
    static ConnectionTraits of(DataSource dataSource, Duration network) {
        try (Connection connection = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(connection);
            int before = networkTimeout(connection);
            boolean isLimited = before >= 0 && limit(connection, Math.toIntExact(network.toMillis()));
            boolean isReadCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
            if (isLimited) {
                connection.setNetworkTimeout(SAME_THREAD, before);
            }
            return new ConnectionTraits(
                    dialect, isLimited, before > 0, isReadCommitted, lockTimeout(dialect, connection));
        } catch (SQLException e) {
            throw SqlErrors.of("connecting to the database", e);
        }
    }

    /**
     * Returns whether a plain query runs as the engine requires. Otherwise, even a read needs a transaction, which sets
     * the isolation level. (If the default changes later, a read of one statement sees the same and may have to be
     * retried.)
     */
    boolean mayReadWithoutTransaction() {
        return isReadCommitted || dialect == Dialect.H2;
    }

    private static OptionalInt lockTimeout(Dialect dialect, Connection connection) throws SQLException {
        return dialect == Dialect.H2 ? OptionalInt.of(H2LockTimeout.read(connection)) : OptionalInt.empty();
    }

    /** @return the timeout, or a negative number if it is not supported; pools that predate JDBC 4.1 lack the method */
    private static int networkTimeout(Connection connection) throws SQLException {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLFeatureNotSupportedException | AbstractMethodError | UnsupportedOperationException e) {
            return -1;
        }
    }

    /** @return whether the driver accepts it */
    private static boolean limit(Connection connection, int milliseconds) throws SQLException {
        try {
            connection.setNetworkTimeout(SAME_THREAD, milliseconds);
            return connection.getNetworkTimeout() == milliseconds;
        } catch (SQLFeatureNotSupportedException | AbstractMethodError | UnsupportedOperationException e) {
            return false;
        }
    }
}

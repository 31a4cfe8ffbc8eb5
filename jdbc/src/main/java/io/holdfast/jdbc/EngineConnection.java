package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.function.IntUnaryOperator;

/**
 * A connection of the engine: it waits for the database in bounded time, and its transactions are READ COMMITTED. When
 * it is closed, it goes back to its pool as it came. Not thread-safe.
 *
 * <p>On PostgreSQL each transaction sets the level itself, in the round trip of its first statement; nothing has to be
 * restored. On H2 the level and the lock timeout belong to the connection.
 */
final class EngineConnection implements AutoCloseable {

    private static final Executor SAME_THREAD = Runnable::run;
    private static final int UNCHANGED = -1;

    private final Connection connection;
    private final ConnectionTraits traits;
    private final Runnable onLost;
    private int isolationBefore = UNCHANGED;
    private int networkTimeoutBefore = UNCHANGED;
    private int networkTimeout = UNCHANGED;
    private boolean closed;

    private EngineConnection(Connection connection, ConnectionTraits traits, Runnable onLost) {
        this.connection = connection;
        this.traits = traits;
        this.onLost = onLost;
    }

    /**
     * @param limit maps the network timeout of the pool to that of the engine, in milliseconds; 0 for none
     * @param onLost runs when a connection is closed that was lost
     */
    static EngineConnection of(Connection connection, ConnectionTraits traits, IntUnaryOperator limit, Runnable onLost)
            throws SQLException {
        EngineConnection configured = new EngineConnection(connection, traits, onLost);
        try {
            if (traits.hasNetworkTimeout()) {
                configured.networkTimeoutBefore = connection.getNetworkTimeout();
                configured.networkTimeout = limit.applyAsInt(configured.networkTimeoutBefore);
            }
            configured.limitWaits();
            configured.setIsolation();
            return configured;
        } catch (SQLException | RuntimeException | Error e) {
            configured.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /** Sets the network timeout, also again if a handler has changed it. The driver keeps it; there is no round trip. */
    void limitWaits() throws SQLException {
        setNetworkTimeout(networkTimeout);
    }

    private void setNetworkTimeout(int milliseconds) throws SQLException {
        if (milliseconds != UNCHANGED && connection.getNetworkTimeout() != milliseconds) {
            connection.setNetworkTimeout(SAME_THREAD, milliseconds);
        }
    }

    private void setIsolation() throws SQLException {
        if (traits.dialect() == Dialect.H2) {
            int current = connection.getTransactionIsolation();
            if (current != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                isolationBefore = current;
            }
        }
    }

    /** Returns the connection to its pool. Its transaction must have ended. Never throws. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (connection) {
            if (connection.isClosed()) {
                onLost.run();
            } else {
                restore();
            }
        } catch (SQLException e) {
            // Its locks end with the connection.
        }
    }

    private void restore() throws SQLException {
        if (isolationBefore != UNCHANGED) {
            connection.setTransactionIsolation(isolationBefore);
        }
        setNetworkTimeout(networkTimeoutBefore);
        if (traits.lockTimeout().isPresent() && !connection.getAutoCommit()) { // only transactions have changed it
            H2LockTimeout.set(connection, traits.lockTimeout().getAsInt());
        }
    }
}

package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs the engine's own transactions. On H2 they run on the store's threads: a caller's thread that is interrupted
 * during a file operation would close the whole database.
 */
final class Database implements AutoCloseable {

    private static final int H2_THREADS = 4;

    private final DataSource dataSource;
    private final Dialect dialect;
    private final Timeouts timeouts;
    private final @Nullable H2HeadMutex headMutex;
    private final @Nullable ExecutorService threads;

    Database(DataSource dataSource, Dialect dialect, Timeouts timeouts) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.timeouts = timeouts;
        this.headMutex = dialect == Dialect.H2 ? H2HeadMutex.of(dataSource) : null;
        this.threads = dialect == Dialect.H2 ? Executors.newFixedThreadPool(H2_THREADS, Database::thread) : null;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Runs a read that sees only committed data. */
    <T> T read(String what, Work<T> work) {
        return onOwnThread(() -> withConnection(what, true, work));
    }

    /** Runs work in a transaction. Commits when the work returns, rolls back when it throws. */
    <T> T write(String what, Work<T> work) {
        return onOwnThread(() -> withConnection(what, false, connection -> {
            dialect.setTimeouts(connection, timeouts);
            T result = work.on(connection);
            connection.commit();
            return result;
        }));
    }

    /** @return whether the connections come from this resource */
    boolean isBackedBy(Object resource) {
        return resource == dataSource;
    }

    /**
     * Opens a connection for a session that outlives a single call. Its transaction begins with {@link #lockHead} or
     * {@link #setLockTimeout}.
     */
    Connection begin() {
        try {
            Connection connection = dataSource.getConnection();
            try {
                connection.setAutoCommit(false);
                return connection;
            } catch (SQLException | RuntimeException | Error e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqlErrors.of("opening a transaction", e);
        }
    }

    /**
     * Limits how long a new transaction waits for row locks. It may stay idle until it locks the head.
     *
     * @param next a statement to execute right after
     */
    void setLockTimeout(Connection connection, String next) throws SQLException {
        dialect.setLockTimeout(connection, timeouts, next);
    }

    /**
     * Locks the head until the transaction ends. It must be one of {@link #write} or {@link #lockingHead}: they know
     * when it has ended.
     */
    LogHead lockHead(Connection connection) throws SQLException {
        return lockHead(connection, 0);
    }

    /** @param position the position whose event's id is read as well */
    LogHead lockHead(Connection connection, long position) throws SQLException {
        if (headMutex != null) {
            headMutex.acquire(connection, timeouts.lock());
        }
        return dialect.lockHead(connection, timeouts, position);
    }

    /** @return the same transactions, able to {@linkplain #lockHead lock the head} */
    JoinedTransactions lockingHead(JoinedTransactions transactions) {
        return headMutex == null ? transactions : new H2Transactions(transactions, headMutex);
    }

    /**
     * Runs an insert that does nothing if the row exists. H2 may detect a concurrent insert only as a unique violation.
     * It then rolls back the statement, and the row exists as well.
     *
     * @return whether the row was inserted
     */
    boolean insertIfAbsent(Connection connection, String insert, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            parameters.set(statement);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (dialect != Dialect.H2 || !SqlErrors.isUniqueViolation(e)) {
                throw e;
            }
            return false;
        }
    }

    static long microseconds(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration);
    }

    private <T> T withConnection(String what, boolean autoCommit, Work<T> work) {
        try {
            Connection connection = dataSource.getConnection();
            try (connection) {
                connection.setAutoCommit(autoCommit);
                try {
                    return work.on(connection);
                } finally {
                    if (!autoCommit) {
                        connection.rollback();
                    }
                }
            } finally {
                releaseHead(connection);
            }
        } catch (SQLException e) {
            throw SqlErrors.of(what, e);
        }
    }

    private void releaseHead(Connection ended) {
        if (headMutex != null) {
            headMutex.release(ended);
        }
    }

    /** Runs work where an interrupt does no harm: on H2 on a thread of the store, otherwise on the caller's thread. */
    <T> T onOwnThread(Supplier<T> work) {
        if (threads == null) {
            return work.get();
        }
        try {
            return CompletableFuture.supplyAsync(work, threads).join();
        } catch (RejectedExecutionException e) {
            throw new RetryableException("the store is closed", e);
        } catch (CompletionException e) {
            throw rethrown(e);
        }
    }

    private static RuntimeException rethrown(CompletionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : e;
    }

    private static final AtomicInteger THREAD_NUMBER = new AtomicInteger();

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "holdfast-h2-" + THREAD_NUMBER.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.shutdown();
        }
    }

    /** Sets the parameters of a statement. */
    @FunctionalInterface
    interface Parameters {
        void set(PreparedStatement statement) throws SQLException;
    }

    /** Work on a connection. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}

package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.failover.Witnessed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the engine's own transactions. On H2 they run on the store's threads: a caller's thread that is interrupted
 * during a file operation would close the whole database. Each waiting caller has a thread of its own there: callers that
 * wait for the head must not occupy a thread that the transaction needs that has locked it. The pool limits how many of
 * them have a connection.
 */
final class Database implements AutoCloseable {

    private final EngineConnections connections;
    private final Dialect dialect;
    private final Timeouts timeouts;
    private final @Nullable H2HeadMutex headMutex;
    private final @Nullable ExecutorService threads;

    Database(EngineConnections connections, Timeouts timeouts) {
        this.connections = connections;
        this.dialect = connections.traits().dialect();
        this.timeouts = timeouts;
        this.headMutex = dialect == Dialect.H2 ? H2HeadMutex.of(connections.dataSource()) : null;
        this.threads = dialect == Dialect.H2 ? Executors.newCachedThreadPool(Database::thread) : null;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Runs a read that sees only committed data. */
    <T> T read(String what, Work<T> work) {
        boolean autoCommit = connections.traits().mayReadWithoutTransaction();
        return onOwnThread(() -> withConnection(what, connections::open, autoCommit, connection -> {
            if (!autoCommit) {
                dialect.setTimeouts(connection, timeouts);
            }
            return work.on(connection);
        }));
    }

    /** Runs work in a transaction. Commits when the work returns, rolls back when it throws. */
    <T> T write(String what, Work<T> work) {
        return write(what, connections::open, work);
    }

    /** Like {@link #write}, for work that takes longer the more rows there are. */
    <T> T writeLong(String what, Work<T> work) {
        return write(what, connections::openForLongOperation, work);
    }

    private <T> T write(String what, Opening opening, Work<T> work) {
        return onOwnThread(() -> withConnection(what, opening, false, connection -> {
            dialect.setTimeouts(connection, timeouts);
            T result = work.on(connection);
            connection.commit();
            return result;
        }));
    }

    /** @return whether the connections come from this resource */
    boolean isBackedBy(Object resource) {
        return resource == connections.dataSource();
    }

    /**
     * Opens a connection for a session that outlives a single call. Its transaction begins with {@link #lockHead},
     * {@link #setLockTimeout} or {@link #setTimeouts}.
     */
    EngineConnection begin() {
        try {
            EngineConnection opened = connections.open();
            try {
                opened.connection().setAutoCommit(false);
                return opened;
            } catch (SQLException | RuntimeException | Error e) {
                opened.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqlErrors.of("opening a transaction", e);
        }
    }

    /** Limits how long a new transaction waits for row locks, and how long it may be idle. */
    void setTimeouts(Connection connection) throws SQLException {
        dialect.setTimeouts(connection, timeouts);
    }

    /** Begins a transaction of {@link #begin} that reads before it locks the head. */
    void beginReads(Connection connection) throws SQLException {
        if (!connections.traits().mayReadWithoutTransaction()) {
            dialect.setTimeouts(connection, timeouts);
        }
    }

    /** @return how many connections can be open at a time, if that is known */
    OptionalInt maximumConnections() {
        return connections.maximum();
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
     * Locks the head until the transaction ends. It must be one of {@link #write} or {@link EngineTransactions}: they
     * know when it has ended.
     */
    LogHead lockHead(Connection connection) throws SQLException {
        return lockHead(connection, Witnessed.NOTHING);
    }

    /** @param witnessed what is read as well */
    LogHead lockHead(Connection connection, Witnessed witnessed) throws SQLException {
        if (headMutex != null) {
            headMutex.acquire(connection, timeouts.lock());
        }
        return dialect.lockHead(connection, timeouts, witnessed);
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

    private <T> T withConnection(String what, Opening opening, boolean autoCommit, Work<T> work) {
        try {
            EngineConnection opened = opening.open();
            Connection connection = opened.connection();
            try (opened) {
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

    /** Lets the next transaction lock the head, if this one has locked it. */
    void releaseHead(Connection ended) {
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

    /** Opens a connection. */
    @FunctionalInterface
    private interface Opening {
        EngineConnection open() throws SQLException;
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

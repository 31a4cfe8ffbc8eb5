package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets one transaction at a time lock the head of a log in H2: the next one only when the commit or rollback of the
 * last one has returned. H2's row lock does not suffice:
 *
 * <ul>
 *   <li>A rollback in H2 may restore a row twice. If the file is being written at that moment, H2 repeats the step, and
 *       does not check whether another transaction has locked the row since. That transaction's update is lost: the
 *       head goes back, and every later commit fails.
 *   <li>The row lock is not fair. A transaction may be overtaken until its wait times out.
 * </ul>
 *
 * <p>Only one process can open an H2 file, so a mutex in the process suffices. It belongs to a transaction, not to a
 * thread. Thread-safe and fair.
 */
final class H2HeadMutex {

    /** One small object per database that this process has opened. */
    private static final Map<String, H2HeadMutex> OF_DATABASE = new ConcurrentHashMap<>();

    private static final String DATABASE = "select coalesce(database_path(), database())";
    private static final String LOCK_TIMEOUT_STATE = "HYT00";
    private static final int LOCK_TIMEOUT_CODE = 50_200;

    private final Semaphore permit = new Semaphore(1, true);
    private final AtomicReference<@Nullable Object> owner = new AtomicReference<>();

    /** @return the mutex of the database, the same for every {@code DataSource} that connects to it */
    static H2HeadMutex of(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(DATABASE)) {
            row.next();
            return OF_DATABASE.computeIfAbsent(row.getString(1), database -> new H2HeadMutex());
        } catch (SQLException e) {
            throw SqlErrors.of("reading the name of the database", e);
        }
    }

    /**
     * Waits until no other transaction holds the mutex. Does nothing if this one does.
     *
     * @param transaction identifies the transaction, which must {@link #release} the mutex when it has ended
     * @throws SQLTimeoutException like the one that H2 throws if the row stays locked
     */
    void acquire(Object transaction, Duration timeout) throws SQLTimeoutException {
        if (owner.get() == transaction) {
            return;
        }
        if (!tryAcquire(timeout)) {
            throw new SQLTimeoutException(
                    "another transaction has locked the head of the log", LOCK_TIMEOUT_STATE, LOCK_TIMEOUT_CODE);
        }
        owner.set(transaction);
    }

    /** Treats an interrupt as a timeout, as H2 does, and clears it: it would make H2 close its file. */
    private boolean tryAcquire(Duration timeout) {
        try {
            return permit.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Admits the next transaction. Does nothing if this one does not hold the mutex. */
    void release(Object transaction) {
        if (owner.compareAndSet(transaction, null)) {
            permit.release();
        }
    }
}

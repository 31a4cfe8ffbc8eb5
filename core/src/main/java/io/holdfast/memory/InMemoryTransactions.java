package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of a service that stores rows, for tests. Like a database's, they are bound to the thread that runs
 * them. Application rows join through {@link #atCommit}. Thread-safe.
 */
public final class InMemoryTransactions {

    /** How long a transaction waits for a key that another one has locked. */
    public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    @SuppressWarnings("ThreadLocalUsage") // one per store, so that tests do not share transactions
    private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();

    private final Map<AggregateKey, Transaction> keyOwners = new HashMap<>();

    private final CommitPoint.Observer points;

    InMemoryTransactions(CommitPoint.Observer points) {
        this.points = points;
    }

    /** Runs work in a transaction, which commits when the work returns and rolls back when it throws. */
    public void run(Runnable work) {
        Transaction transaction = begin();
        try {
            work.run();
            points.pass(CommitPoint.OUTBOX_COMMIT, transaction::apply);
        } finally {
            end(transaction);
        }
    }

    /** Begins a transaction that {@link #end} must end on the same thread. */
    Transaction begin() {
        if (current.get() != null) {
            throw new PermanentException("this thread is already in a transaction");
        }
        Transaction transaction = new Transaction();
        current.set(transaction);
        return transaction;
    }

    /** Rolls back changes that were not applied. Does nothing if the transaction has ended. */
    void end(Transaction transaction) {
        if (current.get() == transaction) {
            current.remove();
            free(transaction);
        }
    }

    /** Registers a change of application rows that takes effect when the current transaction commits. */
    public void atCommit(Runnable change) {
        require().changes.add(change);
    }

    /**
     * Ends the current transaction as a database does that terminates a session. Everything in it is lost, and further
     * work in it fails.
     */
    public void loseCurrent() {
        require().lost = true;
        throw lost();
    }

    private static RetryableException lost() {
        return new RetryableException("the transaction was lost; nothing of it was committed");
    }

    Transaction require() {
        Transaction transaction = current.get();
        if (transaction == null) {
            throw new PermanentException("the outbox must be written inside a transaction, and this thread has none");
        }
        transaction.requireIntact();
        return transaction;
    }

    /** Locks a key until the current transaction ends. Waits for other transactions that have locked it. */
    synchronized void lock(AggregateKey key) {
        Transaction transaction = require();
        long end = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        while (keyOwners.getOrDefault(key, transaction) != transaction) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new RetryableException("another transaction has locked " + key + " for more than " + LOCK_TIMEOUT
                        + "; retry the transaction");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // restored for the caller
                throw new RetryableException("interrupted while waiting for the lock of " + key, e);
            }
        }
        keyOwners.put(key, transaction);
    }

    private synchronized void free(Transaction transaction) {
        keyOwners.values().removeIf(owner -> owner == transaction);
        notifyAll();
    }

    /** Changes that take effect at the commit. */
    static final class Transaction {

        final List<Runnable> changes = new ArrayList<>();
        final Map<AggregateKey, Long> versions = new HashMap<>();
        private boolean lost;
        private int savepointSize;
        private Map<AggregateKey, Long> savepointVersions = Map.of();

        void requireIntact() {
            if (lost) {
                throw lost();
            }
        }

        void apply() {
            requireIntact();
            changes.forEach(Runnable::run);
        }

        void savepoint() {
            requireIntact();
            savepointSize = changes.size();
            savepointVersions = Map.copyOf(versions);
        }

        /** Rolls back the changes since the savepoint. Keys stay locked until the transaction ends. */
        void rollbackToSavepoint() {
            requireIntact();
            changes.subList(savepointSize, changes.size()).clear();
            versions.clear();
            versions.putAll(savepointVersions);
        }
    }
}

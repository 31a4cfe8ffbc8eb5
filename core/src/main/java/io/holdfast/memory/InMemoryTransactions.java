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
 * Transactions of a row-keeping service, for tests: what a database's would be, bound to the thread that runs them. The
 * service's own rows join by {@link #atCommit}. For any number of threads.
 */
public final class InMemoryTransactions {

    /** How long a transaction waits for a key that another has written. */
    public static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    @SuppressWarnings("ThreadLocalUsage") // one per store, so that tests do not share transactions
    private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();

    private final Map<AggregateKey, Transaction> keyOwners = new HashMap<>();

    private final CommitPoint.Observer points;

    InMemoryTransactions(CommitPoint.Observer points) {
        this.points = points;
    }

    /** Runs work in a transaction: committed when it returns, rolled back when it throws. */
    public void run(Runnable work) {
        Transaction transaction = begin();
        try {
            work.run();
            points.pass(CommitPoint.OUTBOX_COMMIT, transaction::apply);
        } finally {
            end(transaction);
        }
    }

    /** Begins what {@link #end} must end, on the same thread. */
    Transaction begin() {
        if (current.get() != null) {
            throw new PermanentException("this thread is already in a transaction");
        }
        Transaction transaction = new Transaction();
        current.set(transaction);
        return transaction;
    }

    /** Leaves what was not applied undone. Nothing happens to one that has ended. */
    void end(Transaction transaction) {
        if (current.get() == transaction) {
            current.remove();
            free(transaction);
        }
    }

    /** Lets a change of the caller's own rows take effect together with the running transaction. */
    public void atCommit(Runnable change) {
        require().changes.add(change);
    }

    Transaction require() {
        Transaction transaction = current.get();
        if (transaction == null) {
            throw new PermanentException("the outbox must be written inside a transaction, and this thread has none");
        }
        return transaction;
    }

    /** Waits until no other transaction has written this key, and keeps it until this one ends. */
    synchronized void lock(AggregateKey key) {
        Transaction transaction = require();
        long end = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        while (keyOwners.getOrDefault(key, transaction) != transaction) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new RetryableException("another transaction has kept " + key + " for more than " + LOCK_TIMEOUT);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // for the caller, who was interrupted
                throw new RetryableException("interrupted while waiting for " + key, e);
            }
        }
        keyOwners.put(key, transaction);
    }

    private synchronized void free(Transaction transaction) {
        keyOwners.values().removeIf(owner -> owner == transaction);
        notifyAll();
    }

    /** Changes that wait for the commit. */
    static final class Transaction {

        final List<Runnable> changes = new ArrayList<>();
        final Map<AggregateKey, Long> versions = new HashMap<>();
        private int savepointSize;
        private Map<AggregateKey, Long> savepointVersions = Map.of();

        void apply() {
            changes.forEach(Runnable::run);
        }

        void savepoint() {
            savepointSize = changes.size();
            savepointVersions = Map.copyOf(versions);
        }

        /** What was locked since the mark stays locked until the end. */
        void rollbackToSavepoint() {
            changes.subList(savepointSize, changes.size()).clear();
            versions.clear();
            versions.putAll(savepointVersions);
        }
    }
}

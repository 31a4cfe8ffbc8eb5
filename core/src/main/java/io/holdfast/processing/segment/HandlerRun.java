package io.holdfast.processing.segment;

import io.holdfast.HoldfastException;
import io.holdfast.RetryableException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.worker.MonotonicTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls handlers one after another, on one thread. If a handler fails or is still running, later events of its sequence
 * are not called.
 */
final class HandlerRun implements PooledRun {

    private final ProcessorContext context;
    private final List<HandlerTask> tasks;
    private final Consumer<HandlerRun> work;
    private final MonotonicTime submittedAt;
    private volatile long progressNanos;
    private volatile boolean started;
    private volatile boolean finished;

    /** @param work calls the handlers, with {@link #callAll} */
    HandlerRun(ProcessorContext context, List<HandlerTask> tasks, Consumer<HandlerRun> work) {
        this.context = context;
        this.tasks = tasks;
        this.work = work;
        this.submittedAt = context.time();
        tasks.forEach(task -> task.moveTo(HandlerTask.State.RUNNING));
    }

    List<HandlerTask> tasks() {
        return tasks;
    }

    MonotonicTime submittedAt() {
        return submittedAt;
    }

    /** Returns whether the run has a thread, or had one. */
    boolean isStarted() {
        return started;
    }

    boolean isFinished() {
        return finished;
    }

    /** Calls all handlers, and wakes the coordinator however the run ends. */
    @Override
    public void run() {
        progressNanos = System.nanoTime();
        started = true;
        try {
            work.accept(this);
        } finally {
            finished = true;
            context.wake().run();
        }
    }

    @Override
    public long nanosSinceProgress() {
        return started ? System.nanoTime() - progressNanos : 0;
    }

    /** @throws TransactionLostException if the rows of the handlers cannot be committed */
    void callAll(@Nullable UnitTransaction rows) {
        Set<SequenceId> stopped = new HashSet<>();
        if (rows != null) {
            rows.savepoint();
        }
        boolean isChecked = true;
        for (HandlerTask task : tasks) {
            if (stopped.contains(task.sequence())) {
                continue;
            }
            progressNanos = System.nanoTime();
            isChecked = call(task, rows);
            if (!task.hasCompleted() || task.hasFailed()) {
                stopped.add(task.sequence());
            }
        }
        if (rows != null && !isChecked) {
            requireIntact(rows);
        }
    }

    /** @return whether the transaction is known to have survived the call */
    private boolean call(HandlerTask task, @Nullable UnitTransaction rows) {
        boolean isInTransaction = rows != null && task.writesApplicationRows();
        task.run(context, isInTransaction ? rows : null);
        if (rows != null && isInTransaction) {
            task.requireCompleted();
            savepointOrRollback(task, rows);
        }
        return isInTransaction;
    }

    /** The database may have ended a transaction that was idle while a handler without rows ran. */
    private static void requireIntact(UnitTransaction rows) {
        try {
            rows.savepoint();
        } catch (RetryableException e) {
            throw new TransactionLostException(null, e);
        }
    }

    /**
     * Sets the next savepoint, or rolls back to the last one if the handler failed. A database error that the handler
     * swallowed surfaces here, so it counts for this handler and not for the next one. The breaker learns of a failure
     * only now: if the transaction is lost, that says nothing about the dependency.
     */
    private static void savepointOrRollback(HandlerTask task, UnitTransaction rows) {
        HoldfastException atSavepoint = null;
        if (!task.hasFailed()) {
            try {
                rows.savepoint();
                return;
            } catch (HoldfastException e) {
                atSavepoint = e;
            }
        }
        try {
            rows.rollbackToSavepoint();
        } catch (RetryableException e) {
            Throwable first = atSavepoint == null ? task.failure() : atSavepoint;
            if (first != e) {
                first.addSuppressed(e);
            }
            throw new TransactionLostException(task, first);
        }
        if (atSavepoint instanceof RetryableException) {
            task.guarded().release(); // the store does not respond, which says nothing about the dependency
        }
        task.failed(atSavepoint == null ? task.failure() : atSavepoint);
    }

    /** Updates the states of the tasks. Once the run has finished, tasks that were not called wait again. */
    void refresh(boolean runFinished) {
        for (HandlerTask task : tasks) {
            if (runFinished && task.state() == HandlerTask.State.RUNNING && !task.hasStarted()) {
                task.restart();
            } else {
                task.refreshState();
            }
        }
    }
}

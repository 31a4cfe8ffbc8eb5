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

    void callAll(@Nullable UnitTransaction rows) {
        Set<SequenceId> stopped = new HashSet<>();
        if (rows != null) {
            rows.savepoint();
        }
        for (HandlerTask task : tasks) {
            if (stopped.contains(task.sequence())) {
                continue;
            }
            progressNanos = System.nanoTime();
            call(task, rows);
            if (!task.hasCompleted() || task.hasFailed()) {
                stopped.add(task.sequence());
            }
        }
    }

    private void call(HandlerTask task, @Nullable UnitTransaction rows) {
        boolean writesApplicationRows = task.component().component().rowsIn().isPresent();
        task.run(context, writesApplicationRows ? rows : null);
        if (rows != null && writesApplicationRows) {
            task.requireCompleted();
            savepointOrRollback(task, rows);
        }
    }

    /**
     * Sets the next savepoint, or rolls back to the last one if the handler failed. A database error that the handler
     * swallowed surfaces here, so it counts for this handler and not for the next one.
     */
    private static void savepointOrRollback(HandlerTask task, UnitTransaction rows) {
        if (!task.hasFailed()) {
            try {
                rows.savepoint();
                return;
            } catch (RetryableException e) {
                task.guarded().release(); // the store does not respond, which says nothing about the dependency
                task.failed(e); // if the database is gone, the rollback fails too
            } catch (HoldfastException e) {
                task.failed(e);
            }
        }
        rows.rollbackToSavepoint();
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

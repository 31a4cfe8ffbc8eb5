package io.holdfast.processing;

import io.holdfast.HoldfastException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.SequenceId;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls handlers one after another, on one thread. What comes behind one that has failed, or has not ended, is not called.
 */
final class HandlerRun {

    private final ProcessorContext context;
    private final List<HandlerTask> tasks;
    private final Instant startedAt;
    private volatile boolean finished;

    HandlerRun(ProcessorContext context, List<HandlerTask> tasks) {
        this.context = context;
        this.tasks = tasks;
        this.startedAt = context.now();
        tasks.forEach(task -> task.moveTo(HandlerTask.State.RUNNING));
    }

    List<HandlerTask> tasks() {
        return tasks;
    }

    Instant startedAt() {
        return startedAt;
    }

    boolean isFinished() {
        return finished;
    }

    /** Calls all of them; whoever waits for it is woken, however it ends. */
    void run() {
        try {
            callAll(null);
        } finally {
            finish();
        }
    }

    void finish() {
        finished = true;
        context.wake().run();
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
            call(task, rows);
            if (!task.hasCompleted() || task.hasFailed()) {
                stopped.add(task.sequence());
            }
        }
    }

    private void call(HandlerTask task, @Nullable UnitTransaction rows) {
        boolean keepsRows = task.component().component().rowsIn().isPresent();
        task.run(context, keepsRows ? rows : null);
        if (rows != null && keepsRows) {
            task.requireCompleted();
            savepointOrRollback(task, rows);
        }
    }

    /** A database error that the handler has swallowed shows only now; it is this handler's, not the next one's. */
    private static void savepointOrRollback(HandlerTask task, UnitTransaction rows) {
        if (!task.hasFailed()) {
            try {
                rows.savepoint();
                return;
            } catch (HoldfastException e) {
                task.failed(e); // if it is the database that is gone, going back fails too
            }
        }
        rows.rollbackToSavepoint();
    }

    /** Looks what has come of them. Those that were not called, now that it is over, wait again. */
    void refresh(boolean isOver) {
        for (HandlerTask task : tasks) {
            if (isOver && task.state() == HandlerTask.State.RUNNING && !task.hasStarted()) {
                task.restart();
            } else {
                task.refreshState();
            }
        }
    }
}

package io.holdfast.service;

import io.holdfast.commit.GroupCommitter;
import io.holdfast.deadline.Deadline;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.deadline.Deadlines;
import io.holdfast.deadline.firing.DeadlineFiring;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.deadline.firing.Timekeeper;
import io.holdfast.view.RowChange;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The deadlines of a service: their clock, and the worker that does what is due. */
final class ServiceDeadlines {

    /** The longest time after which a deadline fires that another replica has scheduled. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final DeadlineClock clock;
    private final Timekeeper timekeeper;

    ServiceDeadlines(HoldfastServiceBuilder builder, GroupCommitter committer) {
        this.clock = new DeadlineClock(builder.service, builder.store.tokenStore()::time, builder.clock);
        List<DueTask> tasks = new ArrayList<>();
        tasks.add(new DeadlineFiring(builder.service, builder.store.viewStore(), committer, builder.codec, this::wake));
        this.timekeeper = new Timekeeper(
                builder.service,
                builder.store.tokenStore(),
                builder.replica,
                builder.clock,
                clock,
                CHECK_INTERVAL,
                tasks);
        committer.deadlineTime(clock::now);
        committer.onRows(Deadlines.VIEW, this::wakeInTime);
    }

    private void wake() {
        timekeeper.wake();
    }

    private void wakeInTime(RowChange<Deadline> change) {
        Deadline scheduled = change.after();
        if (scheduled != null && scheduled.isScheduled()) {
            timekeeper.wakeBefore(scheduled.dueAt());
        }
    }

    /** Sets the clock by the store's. Call it before the first command. */
    void adjustClock() {
        clock.adjust();
    }

    Worker start() {
        return timekeeper.start();
    }

    void release() {
        timekeeper.release();
    }
}

package io.holdfast.service;

import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.RowChange;
import io.holdfast.deadline.Deadline;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.deadline.Deadlines;
import io.holdfast.deadline.firing.DeadlineFiring;
import io.holdfast.deadline.firing.DueTask;
import io.holdfast.deadline.firing.Timekeeper;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaTimedOutEvent;
import io.holdfast.saga.tracking.SagaTracking;
import io.holdfast.wire.OperationClient;
import io.holdfast.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What becomes due in a service: its deadlines and the timeouts of its sagas, and the worker that takes care of them. */
final class ServiceDeadlines {

    /** The longest time after which a deadline fires that another replica has scheduled. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final DeadlineClock clock;
    private final Timekeeper timekeeper;

    ServiceDeadlines(HoldfastServiceBuilder builder, GroupCommitter committer, SagaStateStore sagas) {
        this.clock = builder.requireDeadlineClock();
        List<DueTask> tasks = new ArrayList<>();
        tasks.add(new DeadlineFiring(builder.service, builder.store.viewStore(), committer, builder.codec, this::wake));
        committer.intercept(builder.sagaRecorder());
        SagaTracking tracking = new SagaTracking(
                builder.service,
                builder.choreographies,
                builder.sagaSettings,
                builder.requireOrchestrations().judged());
        if (tracking.isNeeded()) {
            tasks.add(detector(tracking, builder, committer));
        }
        this.timekeeper = new Timekeeper(
                builder.service,
                builder.store.tokenStore(),
                builder.replica,
                builder.clock,
                clock,
                checkInterval(builder),
                tasks);
        committer.deadlineTime(clock::now);
        committer.onRows(Deadlines.VIEW, this::wakeInTime);
        if (tracking.isNeeded()) {
            tracking.listen(
                    committer, builder.metrics, sagas, timekeeper::wakeBefore, timeout -> report(builder, timeout));
        }
    }

    private DueTask detector(SagaTracking tracking, HoldfastServiceBuilder builder, GroupCommitter committer) {
        return tracking.detector(
                builder.replica,
                builder.wire,
                builder.store.tokenStore(),
                builder.store.viewStore(),
                builder.store.deadLetterStore(),
                committer,
                builder.codec,
                new OperationClient(builder.wire, builder.clock),
                builder.ownedStreams,
                builder.streamReaders(),
                this::wake);
    }

    private static Duration checkInterval(HoldfastServiceBuilder builder) {
        Duration ofSagas = builder.sagaSettings.checkInterval();
        return ofSagas.compareTo(CHECK_INTERVAL) < 0 ? ofSagas : CHECK_INTERVAL;
    }

    private static void report(HoldfastServiceBuilder builder, SagaTimedOutEvent timeout) {
        builder.sagaTimeoutListeners.forEach(listener -> listener.accept(timeout));
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

package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.harness.CrashPoints.Moment;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs an action once, at the n-th occurrence of a moment. */
final class MomentTrap implements CommitPoint.Observer {

    private final Moment moment;
    private final AtomicInteger remainingOccurrences;
    private final Runnable action;

    MomentTrap(Moment moment, int occurrence, Runnable action) {
        this.moment = moment;
        this.remainingOccurrences = new AtomicInteger(occurrence);
        this.action = action;
    }

    /** Returns the argument that sets a trap in a process. */
    static String option(Moment moment, int occurrence) {
        return (moment.after() ? "after:" : "before:") + moment.point() + ":" + occurrence;
    }

    /** @param option the result of {@link #option} */
    static MomentTrap of(String option, Runnable action) {
        String[] fields = option.split(":", -1);
        Moment moment = new Moment(CommitPoint.valueOf(fields[1]), fields[0].equals("after"));
        return new MomentTrap(moment, Integer.parseInt(fields[2]), action);
    }

    @Override
    public void before(CommitPoint point) {
        reached(new Moment(point, false));
    }

    @Override
    public void after(CommitPoint point) {
        reached(new Moment(point, true));
    }

    private void reached(Moment passed) {
        if (passed.equals(moment) && remainingOccurrences.decrementAndGet() == 0) {
            action.run();
        }
    }
}

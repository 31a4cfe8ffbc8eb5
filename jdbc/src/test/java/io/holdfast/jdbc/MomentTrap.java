package io.holdfast.jdbc;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.CrashPoints.Moment;
import java.util.concurrent.atomic.AtomicInteger;

/** Does something at the n-th passing of a moment, once. */
final class MomentTrap implements CommitPoint.Observer {

    private final Moment moment;
    private final AtomicInteger remainingOccurrences;
    private final Runnable action;

    MomentTrap(Moment moment, int passing, Runnable action) {
        this.moment = moment;
        this.remainingOccurrences = new AtomicInteger(passing);
        this.action = action;
    }

    /** How a process is told of a trap. */
    static String option(Moment moment, int passing) {
        return (moment.after() ? "after:" : "before:") + moment.point() + ":" + passing;
    }

    /** @param option as {@link #option} gives it */
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

package io.holdfast.tck;

import io.holdfast.commit.CommitPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the process die before or after a named point, or something else happen there, once. For any number of threads. */
public final class CrashPoints implements CommitPoint.Observer {

    private @Nullable Moment armed;
    private Runnable action = () -> {};

    /** From now on, the next passing of this moment is a crash. */
    public void crashAt(Moment moment) {
        runAt(moment, () -> {
            throw new SimulatedCrash(moment.toString());
        });
    }

    /** From now on, the next passing of this moment does something first, on the thread that passes it. */
    public synchronized void runAt(Moment moment, Runnable something) {
        armed = moment;
        action = something;
    }

    public synchronized void clear() {
        armed = null;
    }

    /** Whether something is set and has not happened. */
    public synchronized boolean isArmed() {
        return armed != null;
    }

    @Override
    public void before(CommitPoint point) {
        onReached(new Moment(point, false));
    }

    @Override
    public void after(CommitPoint point) {
        onReached(new Moment(point, true));
    }

    /** Without the lock: what happens there may come to other points. */
    private void onReached(Moment moment) {
        disarm(moment).run();
    }

    private synchronized Runnable disarm(Moment moment) {
        if (!moment.equals(armed)) {
            return () -> {};
        }
        armed = null;
        return action;
    }

    /** Before or after a point. */
    public record Moment(CommitPoint point, boolean after) {

        /** Every moment of the given points. */
        public static List<Moment> of(CommitPoint... points) {
            List<Moment> moments = new ArrayList<>();
            for (CommitPoint point : points) {
                moments.add(new Moment(point, false));
                moments.add(new Moment(point, true));
            }
            return moments;
        }

        @Override
        public String toString() {
            return (after ? "after " : "before ") + point;
        }
    }
}

package io.holdfast.tck;

import io.holdfast.commit.CommitPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the process die before or after a named point, or something else happen there, once. For any number of threads. */
public final class CrashPoints implements CommitPoint.Observer {

    private @Nullable Moment awaited;
    private Runnable event = () -> {};

    /** From now on, the next passing of this moment is a crash. */
    public void crashAt(Moment moment) {
        doAt(moment, () -> {
            throw new SimulatedCrash(moment.toString());
        });
    }

    /** From now on, the next passing of this moment does something first, on the thread that passes it. */
    public synchronized void doAt(Moment moment, Runnable something) {
        awaited = moment;
        event = something;
    }

    public synchronized void clear() {
        awaited = null;
    }

    /** Whether something is set and has not happened. */
    public synchronized boolean isSet() {
        return awaited != null;
    }

    @Override
    public void before(CommitPoint point) {
        reached(new Moment(point, false));
    }

    @Override
    public void after(CommitPoint point) {
        reached(new Moment(point, true));
    }

    /** Without the lock: what happens there may come to other points. */
    private void reached(Moment moment) {
        take(moment).run();
    }

    private synchronized Runnable take(Moment moment) {
        if (!moment.equals(awaited)) {
            return () -> {};
        }
        awaited = null;
        return event;
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

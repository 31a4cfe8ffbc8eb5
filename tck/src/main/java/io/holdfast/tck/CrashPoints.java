package io.holdfast.tck;

import io.holdfast.commit.CommitPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the process die before or after a named point, once. For any number of threads. */
public final class CrashPoints implements CommitPoint.Observer {

    private @Nullable Moment crashAt;

    /** From now on, the next passing of this moment is a crash. */
    public synchronized void crashAt(Moment moment) {
        crashAt = moment;
    }

    public synchronized void clear() {
        crashAt = null;
    }

    /** Whether a crash is set and has not happened. */
    public synchronized boolean isSet() {
        return crashAt != null;
    }

    @Override
    public void before(CommitPoint point) {
        reached(new Moment(point, false));
    }

    @Override
    public void after(CommitPoint point) {
        reached(new Moment(point, true));
    }

    private synchronized void reached(Moment moment) {
        if (moment.equals(crashAt)) {
            crashAt = null;
            throw new SimulatedCrash(moment.toString());
        }
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

package io.holdfast.tck.harness;

import io.holdfast.commit.CommitPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Simulates a crash, or runs another action, once, before or after a {@link CommitPoint}. Thread-safe. */
public final class CrashPoints implements CommitPoint.Observer {

    private @Nullable Moment armed;
    private Runnable action = () -> {};

    /** Arms a crash for the next time this moment is reached. */
    public void crashAt(Moment moment) {
        runAt(moment, () -> {
            throw new SimulatedCrash(moment.toString());
        });
    }

    /** Arms an action that runs when this moment is reached next, on the thread that reaches it. */
    public synchronized void runAt(Moment moment, Runnable newAction) {
        armed = moment;
        action = newAction;
    }

    public synchronized void clear() {
        armed = null;
    }

    /** Returns whether an action is armed and has not run yet. */
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

    /** Runs the action outside the lock, because it may reach other points. */
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

    /** The moment before or after a commit point. */
    public record Moment(CommitPoint point, boolean after) {

        /** Returns both moments of each of the given points. */
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

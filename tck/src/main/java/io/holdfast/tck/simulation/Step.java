package io.holdfast.tck.simulation;

import io.holdfast.tck.CrashPoints;
import java.time.Duration;

/** One thing that happens in a simulated world. */
sealed interface Step {

    /** The writing and the reading service. */
    enum Side {
        SOURCE,
        SINK
    }

    /** What a command is about. */
    enum Kind {
        DEPOSIT,
        WITHDRAW,
        TRANSFER,
        BROKEN
    }

    /**
     * Somebody sends a command to a replica of the source.
     *
     * @param key 0 for a command that is sent once; else the same command may be sent again
     */
    record Ask(int replica, Kind kind, String from, String to, long amount, int key) implements Step {}

    /** A transaction of the source writes to the outbox, and commits or not. */
    record Remark(String about, String text, boolean commits) implements Step {}

    /** A replica's committer commits what waits. */
    record Commit(Side side, int replica) implements Step {}

    /** A replica of the source publishes a batch. */
    record Publish(int replica) implements Step {}

    /** A replica of the sink reads and handles a batch, or takes the committer's answer. */
    record Handle(int replica) implements Step {}

    /** The next time that this moment comes, whoever reaches it dies. */
    record CrashAt(Side side, CrashPoints.Moment moment) implements Step {}

    /** A replica dies between two steps. */
    record Kill(Side side, int replica) implements Step {}

    /** The wire comes back empty. */
    record ForgetWire() implements Step {}

    /** The wire loses its newest records. */
    record LoseTail(int records) implements Step {}

    /** The wire goes down or comes back. */
    record Connect(boolean up) implements Step {}

    /** The next handlers throw. */
    record FailHandlers(int times) implements Step {}

    /** Time passes everywhere. */
    record Pass(Duration time) implements Step {}
}

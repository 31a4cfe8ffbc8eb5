package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.commit.CommitPoint;

/** Lets a process die in the middle of work. Skips the running test where that cannot be. */
final class Crash {

    private Crash() {}

    static void before(CommitPoint point, Harness harness, Runnable work) {
        at(new CrashPoints.Moment(point, false), harness, work);
    }

    static void after(CommitPoint point, Harness harness, Runnable work) {
        at(new CrashPoints.Moment(point, true), harness, work);
    }

    static void at(CrashPoints.Moment moment, Harness harness, Runnable work) {
        Capability.CRASH_POINTS.require(harness.missingCapabilities());
        harness.crashPoints().crashAt(moment);
        assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(work::run);
    }
}

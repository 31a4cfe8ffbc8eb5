package io.holdfast.tck.harness;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.commit.CommitPoint;

/** Simulates a crash in the middle of an operation. Skips the running test if the adapter has no crash points. */
public final class Crash {

    private Crash() {}

    public static void before(CommitPoint point, Harness harness, Runnable work) {
        at(new CrashPoints.Moment(point, false), harness, work);
    }

    public static void after(CommitPoint point, Harness harness, Runnable work) {
        at(new CrashPoints.Moment(point, true), harness, work);
    }

    public static void at(CrashPoints.Moment moment, Harness harness, Runnable work) {
        Capability.CRASH_POINTS.require(harness.missingCapabilities());
        harness.crashPoints().crashAt(moment);
        assertThatExceptionOfType(SimulatedCrash.class).isThrownBy(work::run);
    }
}

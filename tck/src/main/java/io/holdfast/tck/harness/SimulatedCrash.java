package io.holdfast.tck.harness;

/**
 * Simulates the crash of a process. It is an {@link Error}, so the engine does not treat it as a failure that it can
 * handle.
 */
public final class SimulatedCrash extends Error {

    public SimulatedCrash(String where) {
        super("simulated crash " + where, null, false, false);
    }
}

package io.holdfast.tck;

/** A process dies here. An {@link Error}, so that nothing in the engine mistakes it for a failure that it can handle. */
public final class SimulatedCrash extends Error {

    public SimulatedCrash(String where) {
        super("simulated crash " + where, null, false, false);
    }
}

package io.holdfast.tck.harness;

import java.util.Map;

/** What every kit needs from the adapter under test. */
public interface Harness extends AutoCloseable {

    /** Returns the points at which a test can simulate a crash. */
    CrashPoints crashPoints();

    /**
     * Returns the capabilities that this adapter lacks by design, each with the reason. The kits skip the tests that
     * need them and report the reason.
     */
    default Map<Capability, String> missingCapabilities() {
        return Map.of();
    }

    @Override
    void close();
}

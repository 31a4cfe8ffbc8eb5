package io.holdfast.tck;

import java.util.Map;

/** What every kit needs of what it tests. */
public interface Harness extends AutoCloseable {

    /** Where to make the process die. */
    CrashPoints crashPoints();

    /** What this adapter cannot do by its nature, each with the reason. The kits skip it and say so. */
    default Map<Capability, String> missingCapabilities() {
        return Map.of();
    }

    @Override
    void close();
}

package io.holdfast.tck.harness;

import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** A capability that an adapter may lack by design. */
public enum Capability {
    /** Several replicas of one service share the store. */
    REPLICAS,
    /** A simulated crash before or after a {@code CommitPoint}. */
    CRASH_POINTS,
    /** A test can restart the wire empty. */
    EMPTY_RESTART,
    /** A test can make the wire lose the newest records of a stream. */
    LOST_TAIL,
    /** A test can disconnect the wire. */
    OUTAGE,
    /** The store is behind a network, and a test can cut its connections. */
    NETWORK,
    /** Other applications can open transactions in the database of the store. */
    FOREIGN_TRANSACTIONS;

    /** Skips the running test, with the adapter's reason, if the adapter lacks this capability. */
    public void require(Map<Capability, String> missing) {
        Assumptions.assumeFalse(
                missing.containsKey(this), () -> this + " is not supported by this adapter: " + missing.get(this));
    }
}

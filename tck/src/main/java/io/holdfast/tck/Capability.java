package io.holdfast.tck;

import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** What an adapter may lack by its nature. */
public enum Capability {
    /** Two processes of one service work on the store at once. */
    REPLICAS,
    /** A simulated crash before or after a {@code CommitPoint}. */
    CRASH_POINTS,
    /** A test can make the wire come back empty. */
    EMPTY_RESTART,
    /** A test can make the wire forget a stream's newest records. */
    LOST_TAIL,
    /** A test can cut the wire. */
    OUTAGE;

    /** Skips the running test if the adapter lacks this, with its reason. */
    void require(Map<Capability, String> lacks) {
        Assumptions.assumeFalse(lacks.containsKey(this), () -> this + " is not offered: " + lacks.get(this));
    }
}

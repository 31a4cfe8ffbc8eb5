package io.holdfast.commit;

import java.util.OptionalInt;

/**
 * Begins transactions in which handlers write application rows. The rows, the effects and the position become durable
 * together.
 *
 * <p><b>Thread safety.</b> Thread-safe.
 */
public interface UnitTransactions {

    /**
     * Returns whether the store itself uses this resource, for example the DataSource of a component's application
     * rows.
     */
    boolean isBackedBy(Object resource);

    /** Returns how many transactions can be open concurrently, the committer's included; empty if there is no limit known. */
    OptionalInt capacity();

    /**
     * Begins a transaction on the calling thread, which must also end it.
     *
     * @throws io.holdfast.RetryableException if the store is unavailable
     */
    UnitTransaction begin();
}

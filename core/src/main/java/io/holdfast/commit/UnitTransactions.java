package io.holdfast.commit;

/**
 * Transactions in which handlers write rows of their own, and which carry their unit along: what they wrote, the effects
 * and the position become durable together.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 */
public interface UnitTransactions {

    /** Whether this is where a component's rows are: the very resource, such as a DataSource, that the store itself uses. */
    boolean isBackedBy(Object resource);

    /**
     * Begins a transaction on the calling thread, which ends it too.
     *
     * @throws io.holdfast.RetryableException if the store is not there
     */
    UnitTransaction begin();
}

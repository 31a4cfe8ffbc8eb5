package io.holdfast.jdbc;

/**
 * Transactions of another technology that units run in, such as JPA's; the store's own statements join them. They must be on
 * connections of the {@code DataSource} that the store is in.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 */
public interface JoinedTransactions {

    /** Whether this is where a component's rows are, beside the {@code DataSource} itself. */
    boolean isBackedBy(Object resource);

    /**
     * Begins a transaction on the calling thread, which ends it too.
     *
     * @throws io.holdfast.RetryableException if the database is not there
     */
    JoinedTransaction begin();
}

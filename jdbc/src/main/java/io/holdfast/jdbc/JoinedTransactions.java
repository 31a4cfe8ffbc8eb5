package io.holdfast.jdbc;

/**
 * Begins transactions of another technology, such as JPA, for units to run in. The store's own statements join them, so
 * they must use connections of the store's {@code DataSource}.
 *
 * <p>Thread-safe.
 */
public interface JoinedTransactions {

    /**
     * @return whether these transactions cover a component's rows in this resource; the {@code DataSource} is always
     *     covered
     */
    boolean isBackedBy(Object resource);

    /**
     * Begins a transaction on the calling thread, which also ends it.
     *
     * @throws io.holdfast.RetryableException if the database is not available
     */
    JoinedTransaction begin();
}

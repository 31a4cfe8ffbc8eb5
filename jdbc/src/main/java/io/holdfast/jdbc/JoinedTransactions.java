package io.holdfast.jdbc;

import java.sql.Connection;

/**
 * Begins transactions of another technology, such as JPA, for units to run in. They run on the store's connections, and
 * the store's own statements join them.
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
     * @param connection the connection to use, without auto-commit. The store has set its timeouts and isolation level,
     *     and closes it after the transaction
     * @throws io.holdfast.RetryableException if the database is not available
     */
    JoinedTransaction begin(Connection connection);
}

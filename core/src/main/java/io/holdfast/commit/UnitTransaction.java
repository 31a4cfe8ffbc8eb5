package io.holdfast.commit;

/** One transaction for application rows that handlers write and for the handlers' commit unit. Not thread-safe. */
public interface UnitTransaction extends AutoCloseable {

    /**
     * Returns the resource through which a handler writes application rows, for example a
     * {@code java.sql.Connection}. A handler must not commit, roll back or close it; such a call fails.
     *
     * @throws io.holdfast.PermanentException if the store has no such resource; the message names the available ones
     */
    <T> T resource(Class<T> type);

    /** Sets the savepoint for {@link #rollbackToSavepoint}, replacing the previous one. */
    void savepoint();

    /**
     * Rolls back to the savepoint, also after a database error. The transaction remains usable, unless the database has
     * ended it.
     *
     * @throws io.holdfast.RetryableException if the transaction is lost: it can then only be closed, and nothing of it is
     *     durable
     */
    void rollbackToSavepoint();

    /**
     * Returns the committer's session in this transaction; committing it commits the application rows. Call it once.
     */
    CommitSession session();

    /** Rolls back unless the transaction was committed. */
    @Override
    void close();
}

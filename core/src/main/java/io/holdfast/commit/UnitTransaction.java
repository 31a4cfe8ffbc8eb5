package io.holdfast.commit;

/** One transaction for rows of handlers and their unit. One thread. */
public interface UnitTransaction extends AutoCloseable {

    /**
     * What a handler writes its rows by, for example a {@code java.sql.Connection}. It must not be committed, rolled back
     * or closed by the handler, and such a call fails.
     *
     * @throws io.holdfast.PermanentException if the store has nothing of that type, naming what it has
     */
    <T> T resource(Class<T> type);

    /** From here on {@link #rollbackToSavepoint} undoes. Replaces the mark before. */
    void savepoint();

    /**
     * Undoes what was written since {@link #savepoint}, also after a database error; the transaction goes on.
     *
     * @throws io.holdfast.RetryableException if that cannot be done; then the transaction is of no further use
     */
    void rollbackToSavepoint();

    /** The committer's session in this transaction; committing it commits the rows. Once. */
    CommitSession session();

    /** Undoes everything if it was not committed. */
    @Override
    void close();
}

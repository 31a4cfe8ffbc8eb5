package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** A transaction that the store's statements join. Not thread-safe. {@link #close} is always the last call. */
public interface JoinedTransaction extends AutoCloseable {

    /**
     * Returns the connection for the store's statements, valid until the transaction ends. The caller must not commit,
     * roll back or close it.
     */
    Connection connection();

    /** Returns the letter tables as this transaction sees and writes them. */
    LetterTables letters();

    /** Returns the types that {@link #resource} supports in addition to {@code Connection}. */
    Set<Class<?>> resourceTypes();

    /**
     * Returns the resource with which handlers write their application rows.
     *
     * @param type one of {@link #resourceTypes}
     * @param guarded the connection that handlers may use
     */
    <T> T resource(Class<T> type, Connection guarded);

    /**
     * Writes the handlers' pending changes to the database.
     *
     * @throws io.holdfast.PermanentException if a handler's changes cannot be written
     * @throws io.holdfast.RetryableException if the failure may be transient; only the whole transaction can be retried
     */
    void flush();

    /** Clears cached state of the writes since the last {@link #flush}, which the database has rolled back. */
    void afterRollbackToSavepoint();

    void commit() throws SQLException;

    /** Rolls back everything. {@link #letters} must not be used afterwards. */
    void rollback();

    /** Rolls back unless committed. Does not close the connection. Never throws. */
    @Override
    void close();
}

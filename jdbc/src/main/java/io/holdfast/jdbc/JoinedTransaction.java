package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** A transaction that the store's statements join. One thread. {@link #close} comes always, and last. */
public interface JoinedTransaction extends AutoCloseable {

    /** What the store's statements run on, until the transaction ends. Not to be committed, rolled back or closed. */
    Connection connection();

    /** Letters as this transaction sees and writes them. */
    LetterTables letters();

    /** What {@link #resource} can give beside a {@code Connection}. */
    Set<Class<?>> resourceTypes();

    /**
     * What handlers write their rows by.
     *
     * @param type one of {@link #resourceTypes}
     * @param guarded the connection, as handlers may use it
     */
    <T> T resource(Class<T> type, Connection guarded);

    /**
     * Brings to the database what handlers have left to be written later.
     *
     * @throws io.holdfast.PermanentException if a handler has left what cannot be written
     * @throws io.holdfast.RetryableException if that may pass, but only for all of the transaction
     */
    void flush();

    /** The database has undone what handlers wrote since they were last flushed: forgets what is known of it. */
    void afterRollbackToSavepoint();

    void commit() throws SQLException;

    /** Undoes everything. What {@link #letters} wrote is of no further use. */
    void rollback();

    /** Undoes what was not committed, and gives the connection back. Never throws. */
    @Override
    void close();
}

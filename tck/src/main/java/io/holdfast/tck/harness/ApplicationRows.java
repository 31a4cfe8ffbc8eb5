package io.holdfast.tck.harness;

import io.holdfast.commit.UnitTransaction;
import java.util.List;
import java.util.Map;

/** Application rows that a handler writes next to a store, in the transactions of commit units. */
public interface ApplicationRows {

    /** The resource in which the rows are stored, as a component declares it. */
    Object resource();

    /** The type of resource that a transaction provides for writing the rows. */
    Class<?> resourceType();

    /** Writes a row through the resource of the transaction. */
    void write(UnitTransaction transaction, String text);

    /** Writes over a committed row, which another transaction may have locked. */
    void overwrite(UnitTransaction transaction, String text, String newText);

    /** Writes a row that the database rejects. Always throws. */
    void writeInvalid(UnitTransaction transaction);

    /**
     * Makes the database end the transaction, as it does when a session crashes or is terminated, or after a deadlock.
     * Always throws.
     */
    void lose(UnitTransaction transaction);

    /** Returns the committed rows in the order in which they were written. */
    List<String> read();

    /** Returns, by name, the calls on the transaction's resource that a handler must not make. */
    Map<String, Runnable> forbiddenCalls(UnitTransaction transaction);
}

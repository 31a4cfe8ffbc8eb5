package io.holdfast.tck;

import io.holdfast.commit.UnitTransaction;
import java.util.List;
import java.util.Map;

/** Rows of a handler's own beside a store, written in the transactions of units. */
public interface ApplicationRows {

    /** Where they are, as a component would name it. */
    Object resource();

    /** What a transaction gives to write them by. */
    Class<?> resourceType();

    /** Writes a row, by what the transaction gives. */
    void write(UnitTransaction transaction, String text);

    /** Writes what the database refuses, by what the transaction gives. Always throws. */
    void writeInvalid(UnitTransaction transaction);

    /** What is committed, in the order in which it was written. */
    List<String> read();

    /** What a handler must not do with what the transaction gives, by name. */
    Map<String, Runnable> forbiddenCalls(UnitTransaction transaction);
}

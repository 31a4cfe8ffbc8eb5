package io.holdfast.tck.harness;

/** A transaction of another application in the database of the store. It stays open, idle, until it is closed. */
public interface ForeignTransaction extends AutoCloseable {

    /** Rolls the transaction back. */
    @Override
    void close();
}

package io.holdfast.jdbc;

import java.sql.Connection;
import java.util.Optional;

/** Finds the connection of the calling thread's transaction, so that the outbox can join it. */
@FunctionalInterface
public interface CurrentConnection {

    /** For services without transactions of their own: the outbox cannot be written. */
    CurrentConnection NONE = Optional::empty;

    /** @return the connection, or empty if the thread is not in a transaction */
    Optional<Connection> find();
}

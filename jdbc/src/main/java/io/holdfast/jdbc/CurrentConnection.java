package io.holdfast.jdbc;

import java.sql.Connection;
import java.util.Optional;

/** Finds the connection of the transaction that the calling thread is in, so that the outbox can join it. */
@FunctionalInterface
public interface CurrentConnection {

    /** Nobody has transactions of their own: the outbox cannot be written. */
    CurrentConnection NONE = Optional::empty;

    /** @return empty if the thread is in no transaction */
    Optional<Connection> find();
}

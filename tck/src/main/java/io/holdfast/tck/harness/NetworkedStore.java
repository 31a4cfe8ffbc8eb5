package io.holdfast.tck.harness;

import io.holdfast.service.Store;

/** The store under test behind a network that a test can cut. It has its own connections and short timeouts. */
public interface NetworkedStore extends AutoCloseable {

    Store store();

    /**
     * Swallows everything on the open connections, permanently and without closing them, as a host without power or a
     * firewall that has lost its state does. New connections work.
     */
    void swallowOpenConnections();

    @Override
    void close();
}

package io.holdfast.examples.shop.launcher;

/** A running shop. {@link #close} stops it and keeps its data. */
public interface Shop extends AutoCloseable {

    /** The name of the Hazelcast cluster that the services share. */
    String CLUSTER = "holdfast-shop";

    /** Returns the port of the shared member: the system property {@code shop.member-port}, by default 5701. */
    static int memberPort() {
        return Integer.getInteger("shop.member-port", 5701);
    }

    @Override
    void close();
}

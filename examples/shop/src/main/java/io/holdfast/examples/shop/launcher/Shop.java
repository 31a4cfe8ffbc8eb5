package io.holdfast.examples.shop.launcher;

/** A shop that runs. {@link #close} ends it, whatever it consists of, and keeps its data. */
public interface Shop extends AutoCloseable {

    /** The cluster that the services of one shop meet in. */
    String CLUSTER = "holdfast-shop";

    /** Where the shared member listens, unless {@code shop.member-port} says otherwise. */
    static int memberPort() {
        return Integer.getInteger("shop.member-port", 5701);
    }

    @Override
    void close();
}

package io.holdfast.tck;

import io.holdfast.service.Store;
import java.time.Clock;
import java.time.Duration;

/** A fresh, empty store under test, and what a kit needs to do to it. One per test. */
public interface StoreHarness extends Harness {

    /** The name of the service whose store it is. */
    String SERVICE = "kit";

    /** The store under test, as one process sees it. */
    Store store();

    /** The same store as another process of the service sees it. */
    Store replica();

    /** The clock that events are stamped with. */
    Clock clock();

    /** Makes at least this much time pass for the store's leases and ttls, and since entries were placed. */
    void passTime(Duration time);

    /** Runs work in a transaction that the outbox joins: committed when it returns, rolled back when it throws. */
    void inTransaction(Runnable work);

    /** Rows of a handler's own, where the store keeps its own. */
    ApplicationRows applicationRows();
}

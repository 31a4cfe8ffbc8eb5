package io.holdfast.tck.harness;

import io.holdfast.service.Store;
import java.time.Clock;
import java.time.Duration;

/** A new, empty store under test, with the controls that a kit needs. One per test. */
public interface StoreHarness extends Harness {

    /** The name of the service that owns the store. */
    String SERVICE = "kit";

    /** Returns the store under test as one replica sees it. */
    Store store();

    /** Returns the same store as another replica of the service sees it. */
    Store replica();

    /** Returns the clock that stamps events. */
    Clock clock();

    /** Advances the store's time by at least this much, for leases, ttls and the age of positioned entries. */
    void passTime(Duration time);

    /**
     * Sets the clock by which the store measures leases and ttls forward, or back if negative, as when a database fails
     * over to a host with another time. No time passes.
     */
    void setStoreClock(Duration difference);

    /**
     * Runs work in a transaction that the outbox joins. It commits when the work returns and rolls back when it throws.
     */
    void inTransaction(Runnable work);

    /**
     * Copies everything that is committed.
     *
     * @return replaces the content of the store with the copy, as a failover to a standby does that lacks all later
     *     commits. Call it once, while nothing is written.
     */
    Runnable backUp();

    /** Returns the application rows that are stored next to the engine's own tables. */
    ApplicationRows applicationRows();

    /** Opens the same store behind a network. Requires {@link Capability#NETWORK}. */
    NetworkedStore openBehindNetwork();

    /**
     * Begins a transaction of another application, which has a snapshot of the whole store and has locked an application
     * row. Requires {@link Capability#FOREIGN_TRANSACTIONS}.
     *
     * @param lockedRow the text of the row
     */
    ForeignTransaction beginForeignTransaction(String lockedRow);
}

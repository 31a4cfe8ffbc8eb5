package io.holdfast.memory;

import io.holdfast.fixture.ManualClock;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.ForeignTransaction;
import io.holdfast.tck.harness.NetworkedStore;
import io.holdfast.tck.harness.StoreHarness;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** An in-memory store whose clock the test controls. */
final class InMemoryStoreHarness implements StoreHarness {

    private static final Map<Capability, String> MISSING = Map.of(
            Capability.NETWORK, "the store is in the memory of the process",
            Capability.FOREIGN_TRANSACTIONS, "the store is in the memory of the process");

    private final ManualClock clock = new ManualClock();
    private final CrashPoints crashPoints = new CrashPoints();
    private final InMemoryStore store = new InMemoryStore(SERVICE, clock, crashPoints);
    private final ApplicationRows applicationRows = new InMemoryApplicationRows(store.transactions());

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store replica() {
        return store;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
    }

    @Override
    public void setStoreClock(Duration difference) {
        clock.setForward(difference);
    }

    @Override
    public void inTransaction(Runnable work) {
        store.transactions().run(work);
    }

    @Override
    public Runnable backUp() {
        return new InMemoryBackup(store, applicationRows)::restore;
    }

    @Override
    public ApplicationRows applicationRows() {
        return applicationRows;
    }

    @Override
    public NetworkedStore openBehindNetwork() {
        throw new UnsupportedOperationException(MISSING.get(Capability.NETWORK));
    }

    @Override
    public ForeignTransaction beginForeignTransaction(String lockedRow) {
        throw new UnsupportedOperationException(MISSING.get(Capability.FOREIGN_TRANSACTIONS));
    }

    @Override
    public Map<Capability, String> missingCapabilities() {
        return MISSING;
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {}
}

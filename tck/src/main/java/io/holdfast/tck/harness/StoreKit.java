package io.holdfast.tck.harness;

import io.holdfast.event.PayloadCodec;
import io.holdfast.service.Store;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for all store ports: a new store per test. */
public abstract class StoreKit {

    protected final PayloadCodec codec = new PayloadCodec();
    private StoreHarness harness;

    /** Returns a harness around a new, empty store. */
    protected abstract StoreHarness newHarness();

    @BeforeEach
    void openStore() {
        harness = newHarness();
    }

    @AfterEach
    void closeStore() {
        harness.close();
    }

    protected final StoreHarness harness() {
        return harness;
    }

    protected final Store store() {
        return harness.store();
    }

    /** Returns the same store as another replica sees it. Skips the test if the adapter does not support replicas. */
    protected final Store replica() {
        require(Capability.REPLICAS);
        return harness.replica();
    }

    /** Returns a writer of events and rows that uses commit sessions directly. */
    protected final StoreWriter writer() {
        return new StoreWriter(store().commitStore(), harness.clock(), codec);
    }

    protected final void require(Capability capability) {
        capability.require(harness.missingCapabilities());
    }
}

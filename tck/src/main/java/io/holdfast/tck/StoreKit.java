package io.holdfast.tck;

import io.holdfast.event.PayloadCodec;
import io.holdfast.service.Store;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the kits of all store ports have in common: a fresh store per test. */
public abstract class StoreKit {

    protected final PayloadCodec codec = new PayloadCodec();
    private StoreHarness harness;

    /** A harness around a new, empty store. */
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

    /** The same store as another process sees it; the test is skipped where that cannot be. */
    protected final Store replica() {
        require(Capability.REPLICAS);
        return harness.replica();
    }

    /** A writer of events and rows, straight through a session. */
    protected final StoreWriter writer() {
        return new StoreWriter(store().commitStore(), harness.clock(), codec);
    }

    protected final void require(Capability capability) {
        capability.require(harness.missingCapabilities());
    }
}

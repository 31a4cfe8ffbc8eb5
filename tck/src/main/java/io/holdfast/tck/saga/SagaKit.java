package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.tck.harness.StoreKit;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for sagas: a world whose tracker runs on the store under test. */
public abstract class SagaKit extends StoreKit {

    static final String[] CONFIRMED = {"OrderCreated", "OrderConfirmed", "StockReserved", "PaymentProcessed"};

    private SagaWorld world;

    @BeforeEach
    void createWorld() {
        world = new SagaWorld(harness());
    }

    /** Returns the world; start it first. */
    final SagaWorld world() {
        return world;
    }

    final void assertStatus(String order, SagaStatus expected) {
        SagaState saga = world.find(order);
        assertThat(saga.status()).as("status of %s", saga).isEqualTo(expected);
    }

    /** Replays all parked letters of a service and lets everything happen that follows. */
    final void replayAll(String service) {
        ServiceReplica replica = service.equals(Trade.TRACKER) ? world.tracker() : world.participant(service);
        replica.processor().components().forEach(component -> {
            BulkReplay unused =
                    replica.processor().deadLetterProcessor(component.name()).processAll(BulkReplaySettings.UNLIMITED);
        });
        world.settle();
    }

    final double count(String counter) {
        return world.metrics.counter(counter, "sagaType", Trade.SAGA_TYPE).count();
    }

    final double gauge(String name) {
        return world.metrics.get(name).tag("sagaType", Trade.SAGA_TYPE).gauge().value();
    }
}

package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.eventsourcing.Command;
import io.holdfast.saga.SagaDeadline;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStatus;
import io.holdfast.tck.harness.StoreKit;
import java.time.Duration;
import java.util.Objects;
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

    /** Limits the time for which a letter suspends its saga. */
    final void suspendAtMost(Duration time) {
        SagaSettings defaults = world.settings();
        world.settings(new SagaSettings(
                true,
                defaults.checkInterval(),
                defaults.defaultDeadline(),
                true,
                defaults.maxBatchSize(),
                defaults.deadlines(),
                time,
                defaults.retention()));
    }

    final SagaDeadline deadline(String order) {
        return Objects.requireNonNull(world.find(order).deadline());
    }

    /** Cancels an order, as a customer does. */
    final void cancel(String order) {
        var unused = world.tracker()
                .commands()
                .submit(
                        Command.keyed("cancel", order).inSaga(Trade.SAGA_TYPE, SagaWorld.saga(order)),
                        decision -> Trade.cancel(order, "changed my mind", decision));
        world.settle();
    }

    final ServiceReplica replica(String service) {
        return service.equals(Trade.TRACKER) ? world.tracker() : world.participant(service);
    }

    /** Replays all parked letters of a service and lets everything happen that follows. */
    final void replayAll(String service) {
        ServiceReplica replica = replica(service);
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
